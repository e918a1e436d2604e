"""What a page loads of a scene: its recording, then the PTX of its variants."""
import json
import math
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import scene as scenes
from outputs import write_depfile, write_if_changed
from results.options import reference
from results.result import read as read_table, read_head
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


def shown(scene: Scene, step_run: str) -> Dict[str, Any]:
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
        "gpu": measured(scene, step_run),
    }


def recorded(scene: Scene, step_run: str, *options: str) -> str:
    done = subprocess.run(
        [step_run, str(scene.path), str(scene.folder), *options], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise Fault(done.stderr.rstrip())
    return done.stdout


def _result(scene: Scene, experiment: str) -> Path:
    """The reference's."""
    return (scene.root / "bench" / scene.slug
            / f"{experiment}.{reference(scene.root)}.csv")


def _name_of_gpu(scene: Scene, note: Dict[str, str]) -> str:
    """"H100 80GB HBM3" of "NVIDIA H100 80GB HBM3"."""
    experiment = note["text"].partition(": ")[2].split()[0]
    gpu = read_head(_result(scene, experiment)).get("gpu", "")
    return gpu[len("NVIDIA "):] if gpu.startswith("NVIDIA ") else gpu


def measured(scene: Scene, step_run: str) -> Dict[str, Any]:
    """What the reference's GPU counted for the launches that the scene's lines
    `agrees` name, for as many blocks, elements … as the recording has."""
    found, name = [], ""
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
        run = json.loads(recorded(scene, step_run,
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
    write_if_changed(f"{stem}.json", text)
    write_if_changed(f"{stem}.js",
         f"stepper.recording({json.dumps(name)}, {json.dumps(text)},\n"
         f"{json.dumps(shown(scene, step_run))});\n")
    write_if_changed(f"{stem}.run.js",
         f"stepper.program({json.dumps(name)}, {json.dumps(run)});\n")
    read = [scene.path, Path(root) / scene.described["source"],
            *scene.folder.glob("*.ptx"),
            *(path for path in (Path(root) / "bench" / scene.slug).glob(
                f"*.{reference(Path(root))}.csv"))]
    write_depfile(depfile, f"{stem}.js", read)
    return 0
