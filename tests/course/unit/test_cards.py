"""The cards of machines."""
import argparse
import contextlib
import io
import pathlib
import tarfile
import unittest

from support import ROOT, InFolder
from results import bench, cards, cli, options, sets
from results.errors import Fault
from results.measure import Workplace

HEADLINES = ("# name title unit experiment column\n"
             "turn\tTurning\tGB/s\tdemo/speed\tgb_per_s\n"
             "add\tAdding\tGB/s\tother/ladder\tgb_per_s\n")
HEAD = """# machine: {machine}
# gpu: NVIDIA Small
# compute_capability: 8.6
# driver: 580.1
# toolkit: 13.0
# commit: abc1234
# date: 2026-11-0{day}T10:00:00Z
"""
SPEED = "version,time_us,gb_per_s\ncopy,1.0,900.50\nfast,2.0,450.25\n"
LADDER = "version,gb_per_s\nshuffle,12.5\n"
CARD = HEAD.format(machine="small", day=2) + """ladder,version,value,doubt
turn,copy,900.50,
turn,fast,450.25,
add,shuffle,12.5,?
"""


class Case(InFolder):
    def setUp(self):
        super().setUp()
        self.write("bench/headlines", HEADLINES)
        self.place = Workplace(self.root, self.root / "build")
        set_ = "build/results/small/"
        self.write(set_ + "demo/speed.csv",
                   HEAD.format(machine="small", day=1) + SPEED)
        self.write(set_ + "other/ladder.csv",
                   HEAD.format(machine="small", day=2) +
                   "# doubt: hot\n" + LADDER)
        self.folder = self.root / set_


class Cards(Case):
    def faults(self, text, name="small.card"):
        return list(cards.faults_of(self.root,
                                    self.write("bench/machines/" + name, text)))

    def says(self, text, expected, name="small.card"):
        said = self.faults(text, name)
        self.assertEqual(len(said), 1, said)
        self.assertIn(expected, said[0])

    def test_of_a_set(self):
        self.assertEqual(cards.of_set(self.root, self.folder).text(), CARD)

    def test_what_is_not_measured(self):
        (self.folder / "other/ladder.csv").unlink()
        card = cards.of_set(self.root, self.folder)
        self.assertEqual(card.ladders(), ["turn"])
        (self.folder / "demo/speed.csv").unlink()
        self.assertIsNone(cards.of_set(self.root, self.folder))

    def test_stale_is_doubtful(self):
        path = self.folder / "demo/speed.csv"
        path.write_text("# stale: kernels\n" + path.read_text())
        self.assertIn("turn,copy,900.50,?\n",
                      cards.of_set(self.root, self.folder).text())

    def test_of_bench(self):
        """The reference first, then by name, then readers'."""
        self.write("bench/reference", "one\n")
        for machine in ("big", "one", "cited", "software"):
            self.write(f"bench/demo/speed.{machine}.csv",
                       HEAD.format(machine=machine, day=1) + SPEED)
        self.write("bench/machines/README.md", "not a card\n")
        self.write("bench/machines/small.card", CARD)
        found = cards.all_cards(self.root)
        self.assertEqual([(one.facts["machine"], one.contributed)
                          for one in found],
                         [("one", False), ("big", False), ("small", True)])

    def test_good(self):
        self.assertEqual(self.faults(CARD), [])

    def test_bad_cards(self):
        for fact in cards.FACTS:
            if fact not in cards.OPTIONAL:
                head = "\n".join(line for line in CARD.split("\n")
                                 if not line.startswith(f"# {fact}:"))
                self.says(head, f"its head lacks '{fact}'")
        self.says(CARD, "it is the card of 'small': name it small.card",
                  "other.card")
        self.says(CARD.replace("small", "Small"), "a card is named",
                  "Small.card")
        self.says(CARD.replace("value", "rate"), "small.card:8: error: the"
                  " columns are not ladder,version,value,doubt")
        self.says(CARD.replace("add,", "jump,"),
                  "small.card:11: error: bench/headlines has no ladder 'jump'")
        for bad in ("-1", "0", "nan", "", "1e9", "fast"):
            self.says(CARD.replace("450.25", bad), f"'{bad}' is no rate")
        self.says(CARD.replace("turn,fast", "turn,copy"), "is there twice")
        self.says(CARD.replace("12.5,?", "12.5,!"), "doubt is empty or ?")
        self.says(CARD.replace("12.5,?", "12.5"), "3 cells instead of 4")
        self.says(CARD[:CARD.index("turn")], "it has no row")

    def test_a_machine_of_that_name(self):
        self.write("bench/demo/speed.small.csv", SPEED)
        self.says(CARD, "bench/ has results of a machine 'small'")

    def test_bad_headlines(self):
        self.write("bench/headlines", "turn Turning\n")
        self.refuses("bench/headlines:1: 1 fields instead of 5",
                     cards.headlines, self.root)


class Export(Case):
    def export(self, machine="small"):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            sets.export(self.place, argparse.Namespace(
                machine=machine, archive=self.root / f"{machine}.tgz"))
        return said.getvalue()

    def test_next_to_the_archive(self):
        self.assertIn("2 of 2 ladders", self.export())
        self.assertEqual((self.root / "small.card").read_text(), CARD)
        with tarfile.open(self.root / "small.tgz") as tar:
            self.assertIn("small/demo/speed.csv", tar.getnames())

    def test_no_ladder(self):
        self.write("build/results/counted/demo/counts.csv", "version\none\n")
        self.assertIn("No card for the page", self.export("counted"))
        self.assertFalse((self.root / "counted.card").exists())

    def test_command(self):
        """python3 tools/results cards FILE: it names what is wrong."""
        good = self.write("small.card", CARD)
        given = argparse.Namespace(files=[good])
        with contextlib.redirect_stdout(io.StringIO()) as said:
            cli.check_cards(self.place, given)
        self.assertEqual(said.getvalue(), "1 cards\n")
        good.write_text(CARD.replace("copy,900.50", "copy,-1"))
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.refuses("a card must be as ./course export writes it",
                         cli.check_cards, self.place, given, error=Fault)
        self.assertIn("'-1' is no rate", said.getvalue())


class TheRepository(unittest.TestCase):
    def test_five_minutes_are_enough(self):
        """./course bench --quick measures each ladder of a card."""
        place = Workplace(ROOT, pathlib.Path("/nowhere"))
        for one in cards.headlines(ROOT):
            slug = one.experiment.split("/")[0]
            self.assertIn(one.experiment, [
                quick.id for quick in bench.first_look(place, slug)])

    def test_every_machine_has_every_ladder(self):
        known = [one.name for one in cards.headlines(ROOT)]
        self.assertGreaterEqual(len(known), 5)
        for card in cards.all_cards(ROOT):
            if not card.contributed:
                self.assertEqual(card.ladders(), known, card.facts["machine"])
        self.assertTrue(options.reference(ROOT) in [
            card.facts["machine"] for card in cards.all_cards(ROOT)])


if __name__ == "__main__":
    unittest.main()
