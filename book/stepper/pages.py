"""What a page loads of a scene: its recording, then the PTX of its variants."""
import json
import math
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

import conditions
import runs
import scene as scenes
from outputs import write_depfile, write_if_changed
from results.options import reference
from results.result import read as read_table, read_head
from scene import Fault, Scene
from variants import predicted_lines, variants

MOST_BYTES = 30 * 1024


class Runner(NamedTuple):
    """What runs a scene: launch_run, with the scene's PTX by key."""
    launch_run: str
    scene: Scene
    texts: Dict[str, str]

    def recorded(self, *settings: str) -> str:
        return runs.recorded(
            self.launch_run, self.scene, self.texts,
            [word for word in settings if not word.startswith("--")],
            *(word for word in settings if word.startswith("--")))

    def view(self, option: str) -> str:
        """A table of all that the launch did."""
        return runs.viewed(self.launch_run, self.scene, self.texts, (), option,
                           "/dev/stdout")


def _knob(knob: Dict[str, Any]) -> Dict[str, Any]:
    shown = {key: knob[key] for key in ("name", "label", "kind", "default")}
    if "choices" in knob:
        shown["values"] = [choice["word"] for choice in knob["choices"]]
        listings = {choice["word"]: choice["listing"]
                    for choice in knob["choices"] if "listing" in choice}
        if listings:
            shown["listings"] = listings
    else:
        shown.update({key: knob[key] for key in ("min", "max", "step")})
    return shown


def _break(runner: Runner, knob: Dict[str, Any]) -> Dict[str, Any]:
    lines = {variant.key: variant.break_line
             for variant in variants(runner.scene)
             if f"break={knob['name']}" in variant.settings
             and variant.key in runner.texts}
    first = next(variant.break_line for variant in variants(runner.scene)
                 if variant.is_default and variant.key in lines)
    edit = knob["choices"][0]["edits"][0]
    return {"name": knob["name"], "label": knob["label"], "line": first,
            "lines": lines, "replace": edit["replace"], "with": edit["with"]}


def _choices(scene: Scene, ask: Dict[str, Any]) -> List[List[str]]:
    """Values of the asked knob, each with its name for the reader."""
    if ask["knob"] == "break":
        return [[knob["name"], knob["label"]] for knob in scene.knobs("break")]
    knob = next((one for one in scene.described["knobs"]
                 if one["name"] == ask["knob"]), {})
    words = ask["values"] or [choice["word"] for choice in knob.get("choices", [])]
    return [[word, word] for word in words]


def _ask(runner: Runner, ask: Dict[str, Any]) -> Dict[str, Any]:
    """A question, with the answer that runs give."""
    where = f"{runner.scene.path}:{ask['line']}: error"
    knobs = dict(word.split("=", 1) for word in ask["settings"])

    def of(*more: str) -> Any:
        run = json.loads(runner.recorded(*ask["settings"], *more, "--plain"))
        try:
            return conditions.value(ask["expression"], run)
        except Exception as wrong:  # any mistake of the scene's author
            raise Fault(f"{where}: '{ask['expression']}': {wrong}") from wrong

    found: Dict[str, Any] = {"text": ask["text"], "knobs": knobs}
    if not ask["knob"]:
        found["answer"] = of()
        if not isinstance(found["answer"], int) or found["answer"] < 0:
            raise Fault(f"{where}: the answer is no whole number: {found['answer']}")
        return found
    found["choices"] = _choices(runner.scene, ask)
    found["answer"] = [word for word, _ in found["choices"]
                       if of(f"{ask['knob']}={word}")]
    found["knob"] = ask["knob"]
    if not 0 < len(found["answer"]) < len(found["choices"]):
        raise Fault(f"{where}: this holds for {len(found['answer'])} of"
                    f" {len(found['choices'])} choices, which is nothing to ask")
    return found


def shown(runner: Runner) -> Dict[str, Any]:
    """The scene as the page's script has it."""
    scene = runner.scene
    return {
        "name": scene.name, "listing": scene.described["listing"],
        "source": scene.described["source"],
        "kernel": scene.described["kernel"],
        "question": scene.described["question"],
        "predict": predicted_lines(scene),
        "knobs": [_knob(knob) for knob in scene.described["knobs"]
                  if knob["kind"] != "break"],
        "breaks": [_break(runner, knob) for knob in scene.knobs("break")],
        "asks": [_ask(runner, ask) for ask in scene.described["asks"]],
        "gpu": measured(runner),
    }


def program(runner: Runner) -> Dict[str, Any]:
    """What js/launch.mjs makes launches of, as scene.launch_of does."""
    scene = runner.scene
    launches = {}
    for variant in variants(scene):
        if variant.key in runner.texts:
            ptx = runs.checksum(runner.texts[variant.key])
            lines = scenes.launch_of(scene, variant.settings, ptx)
            launches[variant.key] = {"ptx": ptx, "launch": lines[-1][1]}
    knobs = []
    for knob in scene.described["knobs"]:
        if knob["kind"] == "break":
            continue
        turned = {key: knob[key] for key in ("name", "kind", "min", "max",
                                             "step") if key in knob}
        if "choices" in knob:
            turned["choices"] = {choice["word"]: choice.get("number")
                                 for choice in knob["choices"]}
        knobs.append(turned)
    return {"knobs": knobs, "launches": launches,
            "lines": [text for _, text in scene.described["lines"]],
            "files": {runs.checksum(text) + ".ptx": text
                      for _, text in sorted(runner.texts.items())}}


def _result(scene: Scene, experiment: str) -> Path:
    """The reference's."""
    return (scene.root / "bench" / scene.slug
            / f"{experiment}.{reference(scene.root)}.csv")


def _name_of_gpu(scene: Scene, note: Dict[str, str]) -> str:
    """"H100 80GB HBM3" of "NVIDIA H100 80GB HBM3"."""
    experiment = note["text"].partition(": ")[2].split()[0]
    gpu = read_head(_result(scene, experiment)).get("gpu", "")
    return gpu[len("NVIDIA "):] if gpu.startswith("NVIDIA ") else gpu


def measured(runner: Runner) -> Dict[str, Any]:
    """What the reference's GPU counted for the launches that the scene's lines
    `agrees` name, for as many blocks, elements … as the recording has."""
    scene, found, name = runner.scene, [], ""
    for note in scene.described["notes"]:
        words = note["text"].partition(": ")[2].split()
        if note["key"] != "agrees":
            continue
        path = _result(scene, words[0])
        if not path.is_file():
            continue
        per, _, ours = (words[words.index("per") + 1] if "per" in words
                        else "").partition("=")
        wanted = [word.split("=") for word in words[1:]
                  if "=" in word and not word.startswith(per + "=")]
        rows = [row for row in read_table(path).as_dicts()
                if all(row.get(key) == value for key, value in wanted)]
        if len(rows) != 1:
            continue
        run = json.loads(runner.recorded(
            *note["text"].partition(": ")[0].split()))
        times = (1, 1)
        if per == "blocks":
            times = (math.prod(run["grid"]),
                     math.prod(int(rows[0]["grid_" + axis]) for axis in "xyz"))
        elif per:
            times = (int(ours), int(rows[0][per]))
        counts = {}
        for column in run["counts"]:
            text = rows[0].get(column, "")
            if text.isdigit():
                share = round(int(text) * times[0] / times[1], 3)
                counts[column] = int(share) if share % 1 == 0 else share
        found.append({"knobs": run["knobs"], "counts": counts})
        name = _name_of_gpu(scene, note)
    return {"name": name, "rows": found}


def write(arguments: List[str]) -> int:
    root, launch_run, name, folder, depfile = arguments
    scene = scenes.read(Path(root), name)
    runner = Runner(launch_run, scene, runs.unpacked(scene.packed))
    stem = Path(folder) / name.replace("/", "-")
    text = runner.recorded()
    if len(text.encode()) > MOST_BYTES:
        raise Fault(f"{scene.path}: error: its recording has"
                    f" {len(text.encode())} bytes, more than {MOST_BYTES};"
                    " choose a smaller size")
    write_if_changed(f"{stem}.trace.csv", runner.view("--trace"))
    write_if_changed(f"{stem}.access.csv", runner.view("--access-map"))
    write_if_changed(f"{stem}.json", text)
    write_if_changed(f"{stem}.js",
         f"stepper.recording({json.dumps(name)}, {json.dumps(text)},\n"
         f"{json.dumps(shown(runner))});\n")
    write_if_changed(f"{stem}.run.js",
         f"stepper.program({json.dumps(name)}, {json.dumps(program(runner))});\n")
    read = [scene.path, scene.packed, Path(root) / scene.described["source"],
            *(path for path in (Path(root) / "bench" / scene.slug).glob(
                f"*.{reference(Path(root))}.csv"))]
    write_depfile(depfile, f"{stem}.js", read)
    return 0
