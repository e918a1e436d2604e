"""What is the matter with a GPU, with stand-ins for nvidia-smi and nvcc."""
import os
import pathlib
import shutil
import unittest
from unittest import mock

from support import InFolder
from results import diagnosis, here

ONE = "GPU 0: NVIDIA Stand-In 1 (UUID: GPU-11)\n"
TWO_SLICES = ONE + (
    "  MIG 1g.10gb     Device  0: (UUID: MIG-aa)\n"
    "  MIG 3g.40gb     Device  1: (UUID: MIG-bb)\n"
    "GPU 1: NVIDIA Stand-In 2 (UUID: GPU-22)\n"
    "  MIG 2g.20gb     Device  0: (UUID: MIG-cc)\n")


class Stood(InFolder):
    def setUp(self):
        super().setUp()
        self.programs = self.root / "bin"
        self.programs.mkdir()
        for name in ("sh", "cat"):
            (self.programs / name).symlink_to(shutil.which(name) or name)
        (self.root / "home").mkdir()
        self.environment = {
            "PATH": str(self.programs), "CUDA_HOME": str(self.root / "nowhere"),
            "HOME": str(self.root / "home"), "COURSE_SYS": str(self.root / "sys")}
        patch = mock.patch.dict(os.environ, self.environment, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        path.chmod(0o755)

    def nvcc(self, version: str = "13.0.88") -> None:
        self.program("nvcc", f"""case $1 in
--list-gpu-arch) echo compute_75 compute_86 compute_90 compute_120 ;;
*) echo 'release, V{version}' ;;
esac
""")

    def smi(self, listed: str = ONE, capability: str = "9.0",
            driver: str = "580.65", mig: str = "Disabled") -> None:
        """Fields are asked for with `-i GPU`; only 0 and 1 are numbers of one."""
        self.write("list", listed)
        self.program("nvidia-smi", f"""case $1 in
-L) cat '{self.root}/list'; exit ;;
esac
case $2 in 0|1) ;; *) echo 'No devices were found'; exit 6 ;; esac
case $3 in
*compute_cap*) echo '{capability}' ;;
*driver_version*) echo '{driver}' ;;
*mig.mode*) echo '{mig}' ;;
*gpu=name*) echo "NVIDIA Stand-In $(($2 + 1))" ;;
*) exit 2 ;;
esac
""")

    def fails(self, text: str, status: int) -> None:
        self.program("nvidia-smi", f"echo '{text}'\nexit {status}\n")

    def device(self, vendor: str, kind: str) -> None:
        folder = "sys/bus/pci/devices/0000:01:00.0/"
        self.write(folder + "vendor", vendor + "\n")
        self.write(folder + "class", kind + "\n")

    def says(self, *expected: str) -> None:
        """Texts of the findings in their order, each with ! where no program can
        use the GPU."""
        found = diagnosis.look()
        self.assertEqual(len(found), len(expected), found)
        for one, text in zip(found, expected):
            self.assertIn(text.lstrip("!"), diagnosis.in_words(one))
            self.assertEqual(one.usable, not text.startswith("!"), one)


class WithoutAGpu(Stood):
    def test_nothing_here(self):
        self.says()
        self.device("0x8086", "0x030000")
        self.says()
        self.device("0x10de", "0x040300")   # the sound of a graphics card
        self.says()

    def test_no_driver(self):
        self.device("0x10de", "0x030200")
        self.says("!an NVIDIA GPU, but no driver")

    def test_failures(self):
        for text, status, remedy in (
                ("Failed to initialize NVML: Driver/library version mismatch", 18,
                 "!restart the machine"),
                ("NVIDIA-SMI has failed because it could not communicate with the"
                 " NVIDIA driver", 9, "!kernel module is not"),
                ("No devices were found", 0, "!start it with --gpus all"),
                ("No devices were found", 6, "!start it with --gpus all"),
                ("Unable to determine the device handle", 15,
                 "!nvidia-smi says why"),
                ("", 0, "!The driver runs, and sees no GPU")):
            self.fails(text, status)
            self.says(remedy)
            self.assertFalse(diagnosis.usable(diagnosis.look()))


class WithAGpu(Stood):
    def test_nothing_is_the_matter(self):
        self.nvcc()
        self.smi()
        self.says()
        self.assertTrue(diagnosis.usable([]))

    def test_capabilities(self):
        self.nvcc()
        for capability, expected in (
                ("6.1", ["!7.5 and later"]), ("7.0", ["!7.5 and later"]),
                ("7.5", ["7.5 lacks clusters"]), ("8.6", ["8.6 lacks clusters"]),
                ("8.9", ["!does not know compute capability 8.9", "8.9 lacks"]),
                ("9.0", []), ("12.0", ["12.0 has no wgmma"]),
                ("13.1", ["does not know compute capability 13.1", "no wgmma"])):
            self.smi(capability=capability)
            self.says(*expected)
        for unknown in ("[N/A]", "", "[Not Supported]"):
            self.smi(capability=unknown)
            self.says("does not say the GPU")

    def test_an_old_driver(self):
        """It may be enough with a package of NVIDIA's, so nothing is refused."""
        self.smi(driver="550.54.14")
        self.says()
        self.nvcc("12.4.131")
        self.says()
        self.nvcc()
        self.says("550.54.14, is older than CUDA 13 asks for (580)")
        self.smi(driver="580.65")
        self.says()
        self.smi(driver="[N/A]")
        self.says()

    def test_slices(self):
        self.smi(mig="Enabled")
        self.says("!MIG is on and no instance exists")
        self.smi(TWO_SLICES, mig="Enabled")
        self.says("one slice, 1g.10gb")
        self.assertEqual(here.gpu_name(), "NVIDIA Stand-In 1 MIG 1g.10gb")
        self.assertEqual(here.gpu_machine(), "stand_in_1_mig_1g_10gb")
        self.assertEqual(here.n_gpus(), 1)
        for visible, index, machine in (
                ("MIG-bb", "0", "stand_in_1_mig_3g_40gb"),
                ("MIG-cc", "1", "stand_in_2_mig_2g_20gb"),
                ("1", "1", "stand_in_2_mig_2g_20gb"),
                ("MIG-bb,MIG-cc", "0", "stand_in_1_mig_3g_40gb")):
            os.environ["CUDA_VISIBLE_DEVICES"] = visible
            self.assertEqual(here.gpu_index(), index)
            self.assertEqual(here.gpu_machine(), machine)
            self.assertEqual(here.n_gpus(), 1)

    def test_without_slices(self):
        self.smi(ONE + ONE.replace("0", "1"))
        self.assertEqual(here.gpu_machine(), "stand_in_1")
        self.assertEqual(here.gpu_name(), "NVIDIA Stand-In 1")
        self.assertEqual(here.n_gpus(), 2)

    def test_a_home_that_cannot_be_written(self):
        self.smi()
        os.environ["HOME"] = "/proc"
        with mock.patch.object(os, "access",
                               lambda path, mode: path != "/proc"):
            self.says("/proc cannot be written")
            os.environ["CUDA_CACHE_PATH"] = str(self.root)
            self.says()
        for home in ("", "/nowhere/at/all"):
            os.environ["HOME"] = home
            self.says()


class InShell(Stood):
    """tools/here.sh asks as here.py does."""

    def ask(self, function: str) -> str:
        script = pathlib.Path(here.__file__).parents[1] / "here.sh"
        for name in ("awk", "sed", "grep", "dirname", "tr", "paste"):
            (self.programs / name).symlink_to(shutil.which(
                name, path="/usr/bin:/bin") or name)
        said, status = here.said(["sh", "-ec", f". '{script}'; {function}"])
        self.assertEqual(status, 0, said)
        return said.strip()

    def test_slices(self):
        self.smi(TWO_SLICES, mig="Enabled")
        os.environ["CUDA_VISIBLE_DEVICES"] = "MIG-cc"
        self.assertEqual(self.ask("gpu_index; gpu_field name"),
                         "1\nNVIDIA Stand-In 2")

    def test_wsl(self):
        self.smi()
        wsl = self.root / "a wsl"
        wsl.mkdir()
        (self.programs / "nvidia-smi").rename(wsl / "nvidia-smi")
        self.assertFalse(here.gpu_here())
        os.environ["COURSE_WSL"] = str(wsl)
        self.assertEqual(self.ask("gpu_here && gpu_field name"),
                         "NVIDIA Stand-In 1")


if __name__ == "__main__":
    unittest.main()
