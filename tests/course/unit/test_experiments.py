"""The grammar of bench/<slug>/experiments, and what others are told of it."""
import unittest

from support import ROOT, InFolder
from results import experiments, kinds, plan, runners


class Grammar(InFolder):
    def read(self, text: str):
        self.write("bench/demo/experiments", text)
        return experiments.read(self.root, "demo")

    def refused(self, text: str, expected: str):
        self.write("bench/demo/experiments", text)
        self.refuses(expected, experiments.read, self.root, "demo")

    def test_a_line(self):
        found = self.read("# name kind program\n\n"
                          "speed  time   demo --csv --size 2^20\r\n"
                          "  map access demo SOFTDEVICE_A=1,0 SOFTDEVICE_B=2 "
                          "--count SOFTDEVICE_C=3\n")
        self.assertEqual(list(found), ["speed", "map"])
        speed, map_ = found.values()
        self.assertEqual(speed.arguments, ("--csv", "--size", "2^20"))
        self.assertEqual(speed.kind.name, "time")
        self.assertEqual(map_.settings, ("SOFTDEVICE_A=1,0", "SOFTDEVICE_B=2"))
        self.assertEqual(map_.arguments, ("--count", "SOFTDEVICE_C=3"))
        self.assertEqual(map_.place, "bench/demo/experiments:4")
        self.assertEqual(map_.target, "code/demo/demo")

    def test_no_file(self):
        self.assertEqual(experiments.read(self.root, "demo"), {})

    def test_refused_lines(self):
        self.refused("# x\nspeed time\n", "bench/demo/experiments:2: error: a"
                     " line needs name, kind and program")
        self.refused("speed tiem demo\n", "experiments:1: error: unknown kind"
                     " 'tiem'; there are: time mpi table")
        self.refused("a time demo\nb time demo\na count demo\n",
                     ":3: error: a second experiment 'a'; the first is in"
                     " line 1")
        self.refused("../a time demo\n", "'../a' cannot name an experiment")

    def test_programs(self):
        found = self.read("speed time demo\nsums derived nothing\n")
        self.refuses("bench/demo/experiments:1: error: there is no"
                     " code/demo/demo.cu or .c", experiments.need_programs,
                     self.root, found)
        self.write("code/demo/demo.c", "")
        experiments.need_programs(self.root, found)

    def test_origins(self):
        found = self.read("# computed: laws\n# cpu+gpu:  offload \n"
                          "# cpus: nothing\n#cpu: cores\n"
                          "laws table demo\noffload time demo\n"
                          "cores time demo\nkernel time demo\n")
        self.assertEqual([one.origin for one in found.values()],
                         ["computed", "cpu+gpu", "cpu", ""])
        found = self.read("# computed: links\nlinks derived links\n")
        self.assertEqual(found["links"].origin, "computed")

    def test_refused_origins(self):
        self.refused("# x\n# computed: laws lores\nlaws table demo\n",
                     ":2: error: 'lores' is computed, but there is no such"
                     " experiment")
        self.refused("# computed: laws\n# documented: laws\nlaws table demo\n",
                     ":2: error: 'laws' is computed and documented")
        self.refused("# cpu: laws\nlaws table demo\n",
                     ":1: error: 'laws' is cpu, but its kind is 'table'\n"
                     "  only experiments of the kind time can be cpu")
        self.refused("# computed: speed\nspeed time demo\n",
                     ":1: error: 'speed' is computed, but its kind is 'time'\n"
                     "  only experiments of the kind table or derived can be"
                     " computed")


    def test_several(self):
        found = self.read("# several GPUs: links  peers\nlinks time demo\n"
                          "peers mpi demo\nspeed time demo\n")
        self.assertEqual([one.several for one in found.values()],
                         [True, True, False])
        self.refused("# several GPUs: link\nlinks time demo\n",
                     ":1: error: 'link' needs several GPUs, but there is no"
                     " such experiment\n  correct the name")
        self.refused("# several GPUs: map\nmap count demo\n",
                     ":1: error: 'map' needs several GPUs, but its kind"
                     " 'count' runs on the software device, too")


class Plan(InFolder):
    def test_lists(self):
        self.write("code/demo/demo.cu", "")
        self.write("code/demo/other.cu", "")
        self.write("bench/demo/experiments", "# computed: laws\n"
                   "laws table demo\nspeed time demo\ncode ptx demo k\n"
                   "counts count demo\nmore count other\n")
        folder = self.root / "lists"
        self.write("lists/gone.tsv", "old\n")
        every = plan.write_lists(self.root, folder, ["demo"])
        self.assertEqual(plan.for_meson(every),
                         "demo\tdemo other\n")
        self.assertEqual((folder / "demo.tsv").read_text(),
                         "laws\ttable\tcomputed\nspeed\ttime\t\n"
                         "code\tptx\t\ncounts\tcount\t\n"
                         "more\tcount\t\n")
        self.assertFalse((folder / "gone.tsv").exists())
        before = (folder / "demo.tsv").stat().st_mtime_ns
        plan.write_lists(self.root, folder, ["demo"])
        self.assertEqual((folder / "demo.tsv").stat().st_mtime_ns, before)

    def test_fixture_of_the_filters(self):
        """The filters' tests read lists that this program would write."""
        fixture = ROOT / "tests/book/fixture"
        lists = sorted((fixture / "built/bench/experiments").glob("*.tsv"))
        self.assertTrue(lists)
        for path in lists:
            found = experiments.read(fixture, path.stem)
            self.assertEqual(path.read_text(),
                             plan.for_filters(found.values()))


class Kinds(unittest.TestCase):
    def test_each_can_be_run(self):
        self.assertEqual(set(kinds.KINDS) - {"derived"}, set(runners.RUNNERS))
        for kind in kinds.KINDS.values():
            both = kind.software and kind.gpu
            self.assertTrue(both or kind.why_not or kind.name == "derived",
                            f"{kind.name}: why not on the other device?")
            self.assertEqual(bool(kind.variable),
                             kind.software and (bool(kind.metrics) or
                                               kind.is_launch))

    def test_contributing(self):
        page = (ROOT / "CONTRIBUTING.md").read_text()
        self.assertTrue(kinds.as_markdown() in page, "CONTRIBUTING.md: put"
                        " there what `python3 tools/results kinds` prints")

    def test_every_experiment_of_the_book(self):
        for slug in experiments.with_experiments(ROOT):
            found = experiments.read(ROOT, slug)
            experiments.need_programs(ROOT, found)
            for one in found.values():
                metrics = one.kind.metrics
                if metrics:
                    self.assertTrue((ROOT / "bench/common" / metrics).exists())


if __name__ == "__main__":
    unittest.main()
