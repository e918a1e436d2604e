"""What the GPU did while something was measured, and whether that makes the
result doubtful."""
import re
import shutil
import statistics
import subprocess
import tempfile
from typing import Dict, IO, List, NamedTuple, Optional, Tuple

from . import here
from .kinds import Kind
from .result import Table

# Bounds of a doubt. The book's page "How these numbers were made" shows them.
BOUNDS = {
    "most_spread_percent": 10,  # of a time; below 1 us the events' resolution
                                # shows
    "most_wide_percent": 25,    # of an experiment's times may spread more
    "least_clock_percent": 90,  # of the highest clock that the run reached
}

# Why the GPU lowers its clocks: bits of nvml.h's nvmlClocksEventReason… that
# are not settings.
_IDLE = 1
_REASONS = {0x04: "power_cap", 0x08: "hardware_slowdown",
            0x20: "software_thermal", 0x40: "hardware_thermal",
            0x80: "power_brake"}


class Spreads(NamedTuple):
    """How far an experiment's times spread, in percent of each time."""
    median: float
    largest: float
    n_wide: int
    n: int


def _time_of_spread(name: str) -> str:
    """The column whose spread this column holds; "" if it holds none."""
    if name == "spread_us":
        return "time_us"
    return re.sub(r"_spread_us$", "_us", name) \
        if name.endswith("_spread_us") else ""


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def spreads(table: Table,
            wide: float = BOUNDS["most_spread_percent"]) -> Optional[Spreads]:
    at = {name: i for i, name in enumerate(table.columns)}
    pairs = [(i, at[_time_of_spread(name)]) for name, i in at.items()
             if _time_of_spread(name) in at]
    shares: List[float] = []
    n_wide = 0
    for row in table.rows:
        for spread, time in pairs:
            took, by = _number(row[time]), _number(row[spread])
            if took <= 0:
                continue
            shares.append(100 * by / took)
            n_wide += shares[-1] > wide and by > 1
    if not shares:
        return None
    return Spreads(statistics.median_low(shares), max(shares), n_wide,
                   len(shares))


class Watched(NamedTuple):
    """Sums up what nvidia-smi wrote while a program ran."""
    reasons: str
    temperature: int       # the highest; 0: unknown
    clocks: List[int]      # while the GPU was busy: an idle one is slow

    @property
    def median_clock(self) -> int:
        return statistics.median_low(self.clocks) if self.clocks else 0


def summarise(text: str) -> Watched:
    """Lines: SM clock in MHz, temperature in C, utilization in percent,
    reasons. Those of another form are left out: not every driver and GPU
    knows every field."""
    seen = temperature = 0
    clocks: List[int] = []
    for line in text.split("\n"):
        words = re.split(r", *", line.strip())
        if len(words) != 4 or not words[0].isdigit():
            continue
        clock, degrees, busy, reasons = words
        mask = (int(reasons, 16)
                if re.fullmatch(r"0[xX][0-9a-fA-F]+", reasons) else 0)
        seen |= mask
        if degrees.isdigit():
            temperature = max(temperature, int(degrees))
        if busy.isdigit() and int(busy) >= 50 and not mask & _IDLE:
            clocks.append(int(clock))
    names = [name for bit, name in _REASONS.items() if seen & bit]
    if not text.strip():
        names = ["unknown"]
    return Watched(" ".join(names) or "none", temperature, clocks)


def _reasons_field() -> str:
    """Drivers before 535 know the field by its older name."""
    new = "clocks_event_reasons.active"
    return (new if here.gpu_field(new).startswith("0x")
            else "clocks_throttle_reasons.active")


def compute_processes() -> int:
    """Programs that compute on this GPU, as far as the driver shows them."""
    said = here.output_of(["nvidia-smi", "-i", here.gpu_index(),
                           "--query-compute-apps=pid",
                           "--format=csv,noheader"]) or ""
    return len(re.findall(r"^ *[0-9]+ *$", said, re.M))


class Conditions:
    """Looks at the GPU before and after a run and, while a time is measured,
    four times a second."""

    def __init__(self, kind: Kind):
        self.kind = kind
        self.before = self._look()
        self.after: Dict[str, str] = {}
        self.others = compute_processes()
        self.watched = summarise("")
        self._lines: Optional[IO[bytes]] = None
        self._watcher: Optional["subprocess.Popen[bytes]"] = None
        if kind.is_timed:
            self._watch()

    @staticmethod
    def _look() -> Dict[str, str]:
        return {name: here.gpu_field(name) for name in
                ("temperature.gpu", "clocks.sm", "clocks.mem")}

    def _watch(self) -> None:
        # stdbuf: each line at once, because the last ones would be lost with
        # the process.
        stdbuf = shutil.which("stdbuf")
        fields = ("clocks.sm,temperature.gpu,utilization.gpu," +
                  _reasons_field())
        self._lines = tempfile.TemporaryFile(prefix="watched.")
        self._watcher = subprocess.Popen(
            ([stdbuf, "-oL"] if stdbuf else []) +
            ["nvidia-smi", "-i", here.gpu_index(), f"--query-gpu={fields}",
             "--format=csv,noheader,nounits", "-lms", "250"],
            stdin=subprocess.DEVNULL, stdout=self._lines,
            stderr=subprocess.DEVNULL)

    def _end_watch(self) -> None:
        if self._watcher is not None and self._lines is not None:
            self._watcher.kill()
            self._watcher.wait()
            self._lines.seek(0)
            self.watched = summarise(
                self._lines.read().decode(errors="replace"))
            self._lines.close()
        self._watcher = None

    def end(self) -> None:
        self._end_watch()
        self.after = self._look()
        self.others = max(self.others, compute_processes())

    def head(self) -> Dict[str, str]:
        before, after, watched = self.before, self.after, self.watched
        head = {
            "clocks_sm_before_mhz": before["clocks.sm"],
            "clocks_sm_mhz": after["clocks.sm"],
            "clocks_sm_max_mhz": here.gpu_field("clocks.max.sm"),
            "clocks_memory_before_mhz": before["clocks.mem"],
            "clocks_memory_mhz": after["clocks.mem"],
            "temperature_before_c": before["temperature.gpu"],
            "temperature_after_c": after["temperature.gpu"],
        }
        if watched.temperature:
            head["temperature_highest_c"] = str(watched.temperature)
        if watched.clocks:
            head["clocks_sm_busy_mhz"] = str(watched.median_clock)
        if self.kind.is_timed:
            head["throttle_reasons"] = watched.reasons
        head["other_processes"] = str(self.others)
        return head

    def doubts(self, spread: Optional[Spreads]) -> List[str]:
        """All that makes the result doubtful. What is counted in a kernel
        depends on none of this."""
        if self.kind.name not in ("time", "profile"):
            return []
        said: List[str] = []
        watched = self.watched
        if re.search("thermal|power|slowdown", watched.reasons):
            said.append("the GPU lowered its clocks while measuring"
                        f" ({watched.reasons})")
        if self.others:
            said.append(f"other programs used the GPU ({self.others})")
        highest = max(watched.clocks, default=0)
        if watched.median_clock * 100 < (highest *
                                         BOUNDS["least_clock_percent"]):
            said.append(f"the clock was {watched.median_clock} MHz half of the"
                        f" time, after {highest} MHz")
        if spread and (spread.n_wide * 100 >
                       BOUNDS["most_wide_percent"] * spread.n):
            said.append(f"{spread.n_wide} of {spread.n} times spread by more"
                        f" than {BOUNDS['most_spread_percent']} %")
        return said


def head_of_spreads(spread: Optional[Spreads]) -> List[Tuple[str, str]]:
    if spread is None:
        return []
    return [("spread_percent_median", f"{spread.median:.1f}"),
            ("spread_percent_largest", f"{spread.largest:.1f}")]
