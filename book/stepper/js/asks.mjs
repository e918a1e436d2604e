// The scene's questions, one at a time: the reader answers, or is shown the run that
// does. What was answered right is remembered, where the browser keeps anything.
import { run } from "./runs.mjs";

const KEY = "answers";

function remembered() {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) || "{}");
    return all && typeof all === "object" ? all : {};
  } catch {
    return {};
  }
}

const answered = (view) => [].concat(remembered()[view.name] || []);

function remember(view, text) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...remembered(),
      [view.name]: [...new Set([...answered(view), text])] }));
  } catch { /* Not kept, then. */ }
}

const asks = (view) => view.scene.asks || [];

const field = (ask) => ask.choices ?
  ask.choices.map(([word, label]) => window.book.element("label", {},
    window.book.element("input", { type: "checkbox", value: word }), " " + label)) :
  [window.book.element("input", { type: "number", min: 0, required: "",
    "aria-label": "Your answer" })];

// Shows question `i`; -1: the first that is not answered yet.
export function show_ask(view, i = -1) {
  const all = asks(view), done = answered(view);
  view.panel.classList.toggle("asking", all.length > 0);
  if (!all.length) return;
  const first = all.findIndex(({ text }) => !done.includes(text));
  view.ask = i >= 0 ? i % all.length : Math.max(0, first);
  const ask = all[view.ask];
  view.$(".ask-text").textContent = `${view.ask + 1} of ${all.length}: ${ask.text}`;
  view.$(".ask-field").replaceChildren(...field(ask));
  view.$(".ask-said").textContent = done.includes(ask.text) ?
    first < 0 ? "You have answered them all." : "You have answered this one." : "";
  view.act("next_ask").hidden = all.length < 2;
}

const words_of = (ask) => ask.choices ? ask.answer.map((word) =>
  ask.choices.find(([one]) => one === word)[1]).join(", ") : String(ask.answer);

export function check_ask(view) {
  const ask = asks(view)[view.ask];
  const boxes = view.$$(".ask-field input");
  const right = ask.choices ?
    boxes.every((box) => box.checked === ask.answer.includes(box.value)) :
    Number(boxes[0].value) === ask.answer;
  if (right) remember(view, ask.text);
  view.$(".ask-said").textContent = right ? `Right: ${words_of(ask)}.` :
    "Not so. Turn the knobs and look, or have it shown.";
}

// What the buttons do.
export const asking = {
  next_ask: (view) => show_ask(view, view.ask + 1),
  show_answer(view) {
    const ask = asks(view)[view.ask], knobs = { ...view.book.knobs, ...ask.knobs };
    if (ask.choices) knobs[ask.knob] = ask.answer[0];
    for (const key in knobs)
      if (typeof view.book.knobs[key] === "number") knobs[key] = Number(knobs[key]);
    view.$(".ask-said").textContent = words_of(ask) + ". This is the run" +
      (ask.choices && ask.answer.length > 1 ? " of the first." : ".");
    view.wanted = knobs;
    run(view);
  },
};
