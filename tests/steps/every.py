"""What the tests of scenes have in common: the tools, and how knobs are turned."""
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple

_ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / "book/stepper"), str(_ROOT / "tools")]


def turns(scene: Dict[str, Any]) -> Iterator[Tuple[str, ...]]:
    """Each knob to each of its choices (of a range, to its ends and its middle),
    each break, one at a time; first of all, none."""
    yield ()
    for knob in scene["knobs"]:
        if knob["kind"] == "break":
            yield (f"break={knob['name']}",)
        elif "choices" in knob:
            for choice in knob["choices"]:
                yield (f"{knob['name']}={choice['word']}",)
        else:
            low, high, step = knob["min"], knob["max"], knob["step"]
            middle = low + (high - low) // 2 // step * step
            last = low + (high - low) // step * step
            for value in sorted({low, middle, last}):
                yield (f"{knob['name']}={value}",)
