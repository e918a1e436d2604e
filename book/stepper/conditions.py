"""Conditions of a scene's lines: expressions of what a run counted and left behind."""
from typing import Any, Dict, List

_TOOLS = {"max": max, "min": min, "sum": sum, "len": len, "sorted": sorted,
          "range": range, "all": all, "set": set}


def _lanes(mask: int) -> int:
    return bin(mask).count("1")


def names(run: Dict[str, Any]) -> Dict[str, Any]:
    """What an expression may name, of a recording in its plain form: the counts; the
    buffers' values in the end; of all requests `sectors`, `wavefronts`; of all steps
    `active`, the lanes that execute; `report`, a text; `cost`, by line what its requests
    cost."""
    found: Dict[str, Any] = {
        **run["counts"], "sectors": [], "wavefronts": [], "active": [], "cost": {},
        "report": run["report"]["text"] if run["report"] else "",
        **{buffer["name"]: buffer["final"] for buffer in run["buffers"]}}
    costs: Dict[int, List[int]] = found["cost"]
    for step in run["steps"]:
        access = step["access"]
        if step["executed"]:
            found["active"].append(_lanes(step["executed"]))
        if access and access["space"] in ("global", "shared"):
            unit = "sectors" if access["space"] == "global" else "wavefronts"
            found[unit].append(access[unit])
            line = run["code"][step["code"]]["line"]
            costs.setdefault(line, []).append(access[unit])
    return found


def value(expression: str, run: Dict[str, Any]) -> Any:
    """Any exception is a mistake of the scene's author."""
    return eval(expression, {"__builtins__": _TOOLS, **names(run)})
