#!/usr/bin/env python3
"""figures/drawing: what it draws, and what it refuses.

    drawing.py SOURCE_ROOT LUA
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

ROOT, LUA = sys.argv[1], sys.argv[2]
FONT = f"{ROOT}/book/fonts/warp-sans-regular.otf"
SVG = "{http://www.w3.org/2000/svg}"

RATES = """# machine: h200
# gpu: Tested GPU
version,idea,rate
fast,more,124.475
slow,plain,7
"""
MAP_HEAD = ("kernel,launch,file,line,space,operation,block_x,block_y,block_z,"
            "warp,lane,request,address,bytes,allocation,offset,sector,bank,"
            "wavefront\n")


# Two warps; of warp 0, lane 0 takes a path of its own.
TRACE = """# machine: software
kernel,warp,line,opcode,active_mask,executed_mask
k,0,5,setp.lt.s32,ffffffff,ffffffff
k,1,5,setp.lt.s32,ffffffff,ffffffff
k,0,5,bra,ffffffff,00000001
k,0,7,add.s32,fffffffe,fffffffe
k,0,0,mul.lo.s32,fffffffe,80000000
k,0,9,sub.s32,00000001,00000001
k,0,11,ret,ffffffff,ffffffff
"""


def access_map(space: str, address, wavefront=lambda lane: "") -> str:
    rows = [f"k,0,a.cu,1,{space},load,0,0,0,0,{lane},0,{address(lane)},4,"
            f",,,,{wavefront(lane)}\n" for lane in range(32)]
    return MAP_HEAD + "".join(rows)


class Drawing(unittest.TestCase):
    def setUp(self) -> None:
        self.box = tempfile.TemporaryDirectory()
        at = self.box.name
        os.makedirs(f"{at}/figures/demo")
        os.makedirs(f"{at}/bench/demo")
        for part in ("common", "drawing"):
            os.symlink(f"{ROOT}/figures/{part}", f"{at}/figures/{part}")
        self.write("bench/demo/rates.h200.csv", RATES)

    def tearDown(self) -> None:
        self.box.cleanup()

    def write(self, path: str, text: str) -> None:
        with open(f"{self.box.name}/{path}", "w", encoding="utf-8") as file:
            file.write(text)

    def run_script(self, script: str) -> subprocess.CompletedProcess:
        self.write("figures/demo/x.lua", script)
        return subprocess.run(
            [LUA, "figures/drawing/render.lua", "figures/demo/x.lua",
             "fig-demo-x", "A <title>", ".", "h200"],
            cwd=self.box.name, capture_output=True, text=True, check=False)

    def draw(self, script: str, alt: str = "d:alt('Some words on a line.')\n"
             ) -> dict:
        result = self.run_script(script + "\n" + alt)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        drawn = {}
        for name in ("figure.svg", "figure.narrow.svg", "print.svg"):
            drawn[name] = tree.parse(f"{self.box.name}/{name}").getroot()
        return drawn

    def refused(self, script: str, line: int, *said: str,
                alt: str = "\nd:alt('Some words on a line.')\n") -> None:
        for name in ("figure.svg", "figure.narrow.svg", "print.svg"):
            if os.path.exists(f"{self.box.name}/{name}"):
                os.remove(f"{self.box.name}/{name}")
        result = self.run_script(script + alt)
        self.assertEqual(result.returncode, 1, script)
        self.assertTrue(
            result.stderr.startswith(f"figures/demo/x.lua:{line}: error: "),
            result.stderr)
        for part in said:
            self.assertIn(part, result.stderr)
        self.assertFalse(os.path.exists(f"{self.box.name}/print.svg"))

    def texts(self, svg: tree.Element) -> list:
        return [text.text for text in svg.iter(f"{SVG}text")]

    # ---- What it draws -----------------------------------------------------

    def test_three_versions_of_one_script(self) -> None:
        drawn = self.draw("d:text(10, 20, d:choose('wide', 'narrow'))")
        page, narrow = drawn["figure.svg"], drawn["figure.narrow.svg"]
        self.assertEqual(page.get("viewBox").split()[2], "720")
        self.assertEqual(narrow.get("viewBox").split()[2], "340")
        self.assertEqual(self.texts(page), ["wide"])
        self.assertEqual(self.texts(narrow), ["narrow"])
        self.assertEqual(self.texts(drawn["print.svg"]), ["wide"])
        self.assertEqual(page.get("id"), "fig-demo-x")
        self.assertEqual(narrow.get("id"), "fig-demo-x-narrow")
        self.assertEqual(page.find(f"{SVG}title").text, "A <title>")
        self.assertEqual(page.find(f"{SVG}desc").text, "Some words on a line.")
        for svg in (page, narrow):
            self.assertEqual(svg.get("role"), "img")

    def timeline(self, about: str, warp: str = "warp = 0") -> str:
        self.write("bench/demo/trace.software.csv", TRACE)
        return (f"d:timeline(2, data.software('demo/trace'):select{{{warp}}}, "
                f"{{title = 'T', paths = '7-8:1 9-9:2'{about}}})")

    def test_timeline_shows_what_each_lane_does(self) -> None:
        page = self.draw(self.timeline(""))["figure.svg"]

        def of_lane(lane: int) -> list:
            return [(cell.find(f"{SVG}title").text, cell.get("class"),
                     cell.get("fill-opacity")) for cell in page.iter(f"{SVG}path")
                    if cell.get("data-lane") == str(lane)]
        # Both sides of the branch wait for each other. Line 0 belongs to the
        # path before it, and a guard that is false is pale.
        self.assertEqual(of_lane(0), [
            ("lane 0: instructions 1 to 2", "f-muted", None),
            ("lane 0: instruction 5", "f-path-1", None),
            ("lane 0: instruction 6", "f-muted", None)])
        self.assertEqual(of_lane(1), [
            ("lane 1: instructions 1 to 2", "f-muted", None),
            ("lane 1: instruction 3", "f-path-0", None),
            ("lane 1: instruction 4 not executed", "f-path-0", "0.3"),
            ("lane 1: instruction 6", "f-muted", None)])
        self.assertEqual(of_lane(31)[1],
                         ("lane 31: instructions 3 to 4", "f-path-0", None))
        # 32 + 32 + 31 + 1 + 1 + 32 lanes in 6 instructions
        self.assertIn("6 instructions, 21.5 of 32 lanes active on average",
                      self.texts(page))

    def test_timeline_names_instructions(self) -> None:
        page = self.draw(self.timeline(", named = true"))["figure.svg"]
        self.assertEqual(self.texts(page)[-6:],
                         ["setp", "bra", "add", "mul", "sub", "ret"])

    def test_timeline_of_nothing_is_refused(self) -> None:
        self.refused(self.timeline("", "warp = 7"), 1, "no row has warp=7")
        self.refused(self.timeline("", "wrap = 0"), 1, "no column 'wrap'")

    def test_a_dash_is_text(self) -> None:
        for dash, shown in (("'2 5'", "2 5"), ("true", "4 3")):
            drawn = self.draw(f"d:line(8, 8, 99, 8, {{line = 'ink', dash = {dash}}})")
            self.assertIn(f'stroke-dasharray="{shown}"', tree.tostring(
                drawn["print.svg"], encoding="unicode"))
        self.refused("d:line(8, 8, 99, 8, {line = 'ink', dash = {4, 3}})", 1,
                     "a dash is a text")

    def test_masks_are_not_numbers(self) -> None:
        """00001e00 would be read as 1."""
        self.write("bench/demo/mask.software.csv",
                   "warp,active_mask\n0,00001e00\n")
        drawn = self.draw("d:text(8, 20, {'%s', data.software('demo/mask')"
                          ":one{warp = 0}.active_mask})")
        self.assertEqual(self.texts(drawn["figure.svg"]), ["00001e00"])

    def test_by_day_the_page_has_the_colours_of_charts(self) -> None:
        """The style sheet repeats them, because light-dark() wants both."""
        with open(os.path.join(ROOT, "figures/common/style.gp"), encoding="utf-8") as text:
            colours = dict(re.findall(r"^colour_(\w+) = '(#\w+)'", text.read(), re.M))
        with open(os.path.join(ROOT, "book/css/book.css"), encoding="utf-8") as text:
            shown = dict(re.findall(r"--fig-(\w+): light-dark\((#\w+),", text.read()))
        del colours["ink"]    # the page's own text colour
        self.assertEqual(shown, colours)

    def test_roles_follow_the_theme_and_print_does_not(self) -> None:
        drawn = self.draw("d:rect(10, 10, 50, 20, {fill = 'gpu', lane = 5})")
        page = tree.tostring(drawn["figure.svg"], encoding="unicode")
        self.assertIn("var(--role-gpu,var(--fig-1,#0072b2))", page)
        self.assertIn('data-lane="5"', page)
        paper = tree.tostring(drawn["print.svg"], encoding="unicode")
        self.assertNotIn("var(", paper)
        self.assertIn('fill="#0072b2"', paper)

    def test_numbers_come_from_results(self) -> None:
        drawn = self.draw(
            "local t = data.csv('demo/rates')\n"
            "d:text(10, 20, {'%s GB/s', number(t:one{version = 'fast'}.rate)})"
            "\nd:text(10, 50, t:one{version = 'fast'}.idea)")
        self.assertEqual(self.texts(drawn["figure.svg"]),
                         ["124 GB/s", "more"])

    def test_whole_numbers_in_groups_of_three(self) -> None:
        drawn = self.draw("d:text(10, 20, {'%s of %s, %s', grouped(2048), "
                          "grouped(16384), grouped(1234567)})")
        self.assertEqual(self.texts(drawn["figure.svg"]),
                         ["2048 of 16 384, 1 234 567"])

    def test_a_box_leaves_a_gap_on_both_sides(self) -> None:
        drawn = self.draw("d:box(10, 20, 80, 30, 'copy', {fill = 'gpu'})\n"
                          "d:box(90, 20, 80, 30, 'add', "
                          "{fill = 'gpu', gap = 3, tint = 0.9})")
        page = drawn["figure.svg"]
        boxes = [rect for rect in page.iter(f"{SVG}rect")
                 if rect.get("height") == "30"]
        self.assertEqual([[rect.get(key) for key in ("x", "y", "width", "rx")]
                          for rect in boxes],
                         [["10", "20", "80", "3"], ["93", "20", "74", "3"]])
        self.assertEqual(
            [(text.text, text.get("x")) for text in page.iter(f"{SVG}text")],
            [("copy", "50"), ("add", "130")])
        paper = [rect for rect in drawn["print.svg"].iter(f"{SVG}rect")
                 if rect.get("height") == "30"]
        self.assertEqual([rect.get("fill-opacity") for rect in paper],
                         ["0.35", "0.9"])

    def test_time_runs_to_the_right_edge(self) -> None:
        page = self.draw("d:time(100, 40, 'tiny')")["figure.svg"]
        (word,) = page.iter(f"{SVG}text")
        self.assertEqual((word.text, word.get("y"), word.get("text-anchor")),
                         ("time", "57.7", "end"))
        self.assertEqual(word.get("x"), "712")
        arrow = tree.tostring(page, encoding="unicode")
        self.assertIn("M100 40L707.2 40", arrow)

    def test_a_ledger_has_a_row_for_each_wavefront(self) -> None:
        self.write("bench/demo/stride.software.csv", access_map(
            "shared", lambda lane: 8 * lane % 256 + lane // 32,
            lambda lane: lane // 16))
        drawn = self.draw(
            "local r = data.request('demo/stride', {space = 'shared'})\n"
            "d:text(10, 10, {'%d', r:wavefronts()})\n"
            "d:ledger(d.left, 30, d.width - 2 * d.left, r)")
        texts = self.texts(drawn["figure.svg"])
        self.assertEqual(texts[0], "2")
        self.assertIn("wavefront 2", texts)
        self.assertNotIn("wavefront 3", texts)
        lanes = [shape.get("data-lane") for shape in
                 drawn["figure.svg"].iter() if shape.get("data-lane")]
        self.assertEqual(len(set(lanes)), 32)

    def test_a_line_stack_has_a_row_for_each_line(self) -> None:
        for name, step, sectors, lines in (("near", 4, 4, 1),
                                           ("shifted", 4, 5, 2),
                                           ("far", 128, 32, 32)):
            start = 4 if name == "shifted" else 0
            self.write(f"bench/demo/{name}.software.csv", access_map(
                "global", lambda lane, s=step, at=start: at + s * lane))
            drawn = self.draw(
                f"local r = data.request('demo/{name}', {{warp = 0}})\n"
                "d:text(10, 10, {'%d %d', r:sectors(), r:lines()})\n"
                "d:line_stack(d.left, 30, 120, r)\nd:alt('Lines of bytes: ' "
                ".. r:lines() .. ' of them')", alt="")
            self.assertEqual(self.texts(drawn["figure.svg"]),
                             [f"{sectors} {lines}"])

    def test_stacks_say_what_is_wasted(self) -> None:
        for name, step in (("near", 4), ("far", 16)):
            self.write(f"bench/demo/{name}.software.csv", access_map(
                "global", lambda lane, s=step: s * lane))
        drawn = self.draw(
            "local _, said = d:stacks(2, {\n"
            " {'near', 'x[i]', data.request('demo/near', {})},\n"
            " {'far', '', data.request('demo/far', {})}})\n"
            "d:alt('Two stacks. ' .. said)", alt="")
        page = drawn["figure.svg"]
        for said in ("4 sectors", "no waste", "16 sectors", "75 % wasted"):
            self.assertIn(said, self.texts(page))
        # The legend names what is there, and nothing else.
        self.assertIn("moved, not used", self.texts(page))
        self.assertNotIn("not moved", self.texts(page))
        self.assertEqual(page.find(f"{SVG}desc").text,
                         "Two stacks. near: 4 sectors in 1 line, 0 % wasted; "
                         "far: 16 sectors in 4 lines, 75 % wasted.")
        panels = [group.get("data-panel") for group in page.iter(f"{SVG}g")]
        self.assertEqual(panels, ["near", "far"])
        for group in page.iter(f"{SVG}g"):
            lanes = {cell.get("data-lane") for cell in group
                     if cell.get("data-lane")}
            self.assertEqual(len(lanes), 32)
            self.assertIn("lane 31: byte", "".join(group.itertext()))
        self.assertNotIn("data-panel", tree.tostring(
            drawn["print.svg"], encoding="unicode"))

    # ---- What it refuses ---------------------------------------------------

    def test_text_that_leaves_the_drawing(self) -> None:
        self.refused("d:text(700, 20, 'too far right')", 1,
                     "'too far right' leaves the drawing")
        self.refused("d:text(10, 2, 'too high')", 1, "leaves the drawing")
        self.refused("d.height = 30\nd:text(10, 28, 'too low')", 1,
                     "leaves the drawing below")
        self.refused("d:text(10, 20, 'fits ' .. d:choose('here', "
                     "('but not on a phone, which is narrower still'))"
                     " .. ' within the given space')", 1, "340 units")

    def test_text_that_leaves_its_box(self) -> None:
        self.refused("\nd:fit(10, 10, 40, 20, 'wider than it')", 2,
                     "its box has 40 × 20")
        self.refused("d:fit(10, 10, 400, 4, 'high')", 1, "its box has 400 × 4")
        self.draw("d:fit(10, 10, 90, 20, 'wider than it')")

    def test_text_on_text(self) -> None:
        self.refused("d:text(10, 20, 'first')\nd:text(30, 24, 'second')", 2,
                     "'second' lies on 'first'")
        self.draw("d:text(10, 20, 'first')\nd:text(44, 20, 'second')")

    def test_a_box_that_leaves_the_drawing(self) -> None:
        self.refused("d:rect(700, 5, 30, 10, {fill = 'gpu'})", 1,
                     "720 units wide")

    def test_a_missing_number(self) -> None:
        self.refused("d:text(10, 20, {'%d GB/s'})", 1, "a number is missing")
        self.refused("local t = data.csv('demo/rates')\n"
                     "d:text(9, 20, {'%d', t:one{version = 'fast'}.speed})", 2,
                     "no column 'speed'", "it has version,idea,rate")
        self.refused("data.csv('demo/rates'):one{version = 'best'}", 1,
                     "no row has version=best")
        self.refused("data.csv('demo/rates'):select{sort = 'best'}", 1,
                     "no column 'sort'")
        self.refused("data.csv('demo/other')", 1, "-- data: ")
        self.refused("data.lines('bench/demo/other.software.txt')", 1,
                     "-- text: ")
        self.refused("d:text(10, 20, {'%.1f', 0 / 0})", 1, "not a number")

    def test_a_row_that_is_not_whole(self) -> None:
        self.write("bench/demo/rates.h200.csv", RATES + "half,3\n")
        self.refused("data.csv('demo/rates')", 1, "rates.h200.csv:6: 2 cells")

    def test_several_rows_where_one_was_expected(self) -> None:
        self.write("bench/demo/rates.h200.csv", RATES + "fast,again,3\n")
        self.refused("data.csv('demo/rates'):one{version = 'fast'}", 1,
                     "2 rows have version=fast")

    def test_a_typed_number(self) -> None:
        self.refused("d:text(10, 20, 'it reaches 124 GB/s')", 1,
                     "a typed number", "take it from a result")
        self.refused("d:text(10, 20, 'after 30 cycles')", 1, "a typed number")
        self.refused("d:text(10, 20, {'99 %% of %s', 'all'})", 1,
                     "a typed number")
        self.draw("d:text(10, 20, 'lane 5 of 32')")

    def test_no_alt_text(self) -> None:
        self.refused("d:text(10, 20, 'words')", 1, "no alt text", alt="\n")

    def test_other_mistakes(self) -> None:
        self.refused("\nd:rect(5, 5, 9, 9, {fill = 'green'})", 2,
                     "no role 'green'", "roles are ")
        self.refused("d:text(10, 20, 'x', {size = 'huge'})", 1, "no text size")
        self.refused("d:text(10, 20, '\u4e16')", 1, "font lacks")
        self.refused("\nif then", 2, "error: ")
        self.refused("io.open('/etc/passwd')", 1, "error: ")

    # ---- The font ----------------------------------------------------------

    def test_widths_are_the_fonts(self) -> None:
        made = subprocess.run(
            [sys.executable, f"{ROOT}/figures/drawing/widths.py", FONT],
            capture_output=True, text=True, check=True).stdout
        self.assertIn("[293] = \"⁰⁴", made)
        with open(f"{ROOT}/figures/drawing/widths.lua",
                  encoding="utf-8") as file:
            self.assertEqual(made, file.read())
        self.assertTrue(re.search(r"\[556\] = .*0123456789", made))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
