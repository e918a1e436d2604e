"""Committed results against those of another machine."""
import unittest

from support import InFolder

from results import expect


class Steady(InFolder):
    def test_place_in_the_program_may_move(self) -> None:
        first = "allocation 3 (cudaMalloc of 4 bytes), called at leak+0x31d6\n"
        other = first.replace("0x31d6", "0x3656")
        self.assertEqual(expect.steady(first), expect.steady(other))

    def test_anything_else_may_not(self) -> None:
        first = "allocation 3 (cudaMalloc of 4 bytes), called at leak+0x31d6\n"
        for other in (first.replace("leak", "leaks"),
                      first.replace("of 4", "of 8"),
                      first.replace("+0x31d6", " 0x3656")):
            self.assertNotEqual(expect.steady(first), expect.steady(other))


if __name__ == "__main__":
    unittest.main()
