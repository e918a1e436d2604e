"""What a page loads of a scene: its recording, then the PTX of its variants."""
import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import scene as scenes
from scene import Fault, Scene

MOST_BYTES = 30 * 1024


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


def _break(scene: Scene, knob: Dict[str, Any]) -> Dict[str, Any]:
    lines = {variant.key: variant.break_line
             for variant in scenes.variants(scene)
             if f"break={knob['name']}" in variant.settings
             and (scene.folder / (variant.key + ".ptx")).is_file()}
    first = next(variant.break_line for variant in scenes.variants(scene)
                 if variant.is_default and variant.key in lines)
    edit = knob["choices"][0]["edits"][0]
    return {"name": knob["name"], "label": knob["label"], "line": first,
            "lines": lines, "replace": edit["replace"], "with": edit["with"]}


def shown(scene: Scene) -> Dict[str, Any]:
    """The scene as the page's script has it."""
    return {
        "name": scene.name, "listing": scene.described["listing"],
        "source": scene.described["source"],
        "kernel": scene.described["kernel"],
        "question": scene.described["question"],
        "predict": scenes.predicted_lines(scene),
        "knobs": [_knob(knob) for knob in scene.described["knobs"]
                  if knob["kind"] != "break"],
        "breaks": [_break(scene, knob) for knob in scene.knobs("break")],
    }


def recorded(scene: Scene, step_run: str, *options: str) -> str:
    done = subprocess.run(
        [step_run, str(scene.path), str(scene.folder), *options], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise Fault(done.stderr.rstrip())
    return done.stdout


def _put(path: str, text: str) -> None:
    """Only if it is new: what is untouched makes nothing else anew."""
    if not Path(path).is_file() or Path(path).read_text("utf-8") != text:
        Path(path).write_text(text, "utf-8")


def write(arguments: List[str]) -> int:
    root, step_run, name, folder, depfile = arguments
    scene = scenes.read(Path(root), step_run, name)
    stem = Path(folder) / name.replace("/", "-")
    text = recorded(scene, step_run, "--trace", f"{stem}.trace.csv",
                    "--access", f"{stem}.access.csv")
    if len(text.encode()) > MOST_BYTES:
        raise Fault(f"{scene.path}: error: its recording has"
                    f" {len(text.encode())} bytes, more than {MOST_BYTES};"
                    " choose a smaller size")
    files = {path.name: path.read_text("utf-8")
             for path in sorted(scene.folder.glob("*.ptx"))}
    run = {"scene": scene.path.read_text("utf-8"), "files": files}
    _put(f"{stem}.json", text)
    _put(f"{stem}.js",
         f"stepper.recording({json.dumps(name)}, {json.dumps(text)},\n"
         f"{json.dumps(shown(scene))});\n")
    _put(f"{stem}.run.js",
         f"stepper.program({json.dumps(name)}, {json.dumps(run)});\n")
    read = [scene.path, Path(root) / scene.described["source"],
            *scene.folder.glob("*.ptx")]
    Path(depfile).write_text(
        f"{stem}.js: " + " \\\n  ".join(str(path).replace(" ", "\\ ")
                                        for path in read) + "\n", "utf-8")
    return 0
