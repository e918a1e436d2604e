// Launches of a scene, as scene.py makes them.

// A scene with its knobs turned, as launch_run reads it. `program`, which
// book/stepper/pages.py makes: {knobs, launches: {key: {ptx, launch}}, lines}.
export function launch_text(program, knobs) {
  const words = program.knobs.map((knob) => word_of(knob, knobs[knob.name]));
  const variants = words.filter((_, i) => program.knobs[i].kind === "variant");
  const key = [variants.join(".") || "plain",
    ...("break" in knobs ? [knobs.break] : [])].join(".");
  if (!Object.hasOwn(program.launches, key))
    throw new Error(`There is no version ${key} of this kernel.`);
  const { ptx, launch } = program.launches[key];
  const numbers = program.knobs.map((knob, i) =>
    knob.choices?.[words[i]] ?? "");
  return ["ptx " + ptx, ...words.map((word, i) =>
    `knob ${program.knobs[i].name} ${word} ${numbers[i]}`.trimEnd()),
  ...("break" in knobs ? ["knob break " + knobs.break] : []),
  ...program.lines, launch].join("\n") + "\n";
}

function word_of(knob, value) {
  const fits = knob.choices ? Object.hasOwn(knob.choices, value) :
    Number.isInteger(value) && value >= knob.min && value <= knob.max &&
      (value - knob.min) % knob.step === 0;
  if (!fits) throw new Error(`${knob.name} cannot be ${value} here.`);
  return String(value);
}
