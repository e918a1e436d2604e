"""Modules joined into one script: book/stepper/bundle.py."""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUNDLE = ROOT / "book/stepper/bundle.py"


class Bundle(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="a bundle "))
        self.addCleanup(shutil.rmtree, self.folder)

    def bundle(self, **files: str) -> "subprocess.CompletedProcess[str]":
        for name, text in files.items():
            stem, _, ending = name.partition("_")
            (self.folder / f"{stem}.{ending or 'mjs'}").write_text(text)
        return subprocess.run(
            [sys.executable, str(BUNDLE), "made", str(self.folder / "entry.mjs"),
             "-"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def value(self, expression: str, **files: str) -> object:
        done = self.bundle(**files)
        self.assertEqual(done.stderr, "")
        node = shutil.which("node")
        if node is None:
            self.skipTest("no node here")
        said = subprocess.run(
            [node, "-e", f"{done.stdout};console.log(JSON.stringify({expression}))"],
            text=True, stdout=subprocess.PIPE, check=True).stdout
        return json.loads(said)

    def refused(self, words: str, **files: str) -> None:
        done = self.bundle(**files)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr)

    def test_what_the_entry_exports_is_there(self) -> None:
        self.assertEqual(self.value(
            "[made.twice(4), made.seven, Object.keys(made).length]",
            entry='import { double } from "./other.mjs";\n'
                  "export const twice = (x) => double(x);\n"
                  'export { seven } from "x";\n'.replace(' from "x"', "")
                  + "const seven = 7;\n",
            other="export function double(x) { return 2 * x; }\n"), [8, 7, 2])

    def test_a_default_alone_is_the_value(self) -> None:
        self.assertEqual(self.value("made(2)", entry=
                                    "function one(x) { return x + 1; }\n"
                                    "export { one as default };\n"), 3)

    def test_code_of_others_keeps_its_names_and_its_licence(self) -> None:
        (self.folder / "package.json").write_text(
            '{"name": "theirs", "version": "1.2"}')
        (self.folder / "LICENSE-MIT").write_text("Be kind.")
        files = {
            "entry": 'import Them from "./them.js";\n'
                     'import * as all from "./them.js";\n'
                     'import { a as theirs } from "./them.js";\nconst a = 1;\n'
                     "export const sum = [a, theirs, all.b, new Them().c];\n",
            "them_js": "export const a=2;export const b=3;let Them=class Them"
                       "{constructor(){this.c=4}};export{Them as default};"}
        self.assertEqual(self.value("made.sum", **files), [1, 2, 3, 4])
        self.assertIn("/* theirs 1.2\n\nBe kind. */", self.bundle(**files).stdout)

    def test_a_script_as_text(self) -> None:
        self.assertEqual(self.value(
            "eval(made.text).deep",
            entry='import text from "./inner.mjs?script";\nexport { text };\n',
            inner='import { deep } from "./deep.mjs";\nexport { deep };\n',
            deep='export const deep = "down \\"here\\"";\n'), 'down "here"')

    def test_what_one_scope_cannot_have(self) -> None:
        one = 'import { b } from "./other.mjs";\nconst a = b;\n'
        self.refused("a is a name in other.mjs, too", entry=one,
                     other="const a = 1;\nexport const b = a;\n")
        self.refused("other.mjs does not export b", entry=one,
                     other="export const c = 1;\n")
        self.refused("imported as they are",
                     entry='import { b as a } from "./other.mjs";\n',
                     other="export const b = 1;\n")

    def test_what_cannot_be_joined(self) -> None:
        self.refused("it imports itself",
                     entry='import { b } from "./other.mjs";\n'
                           "export const a = b;\n",
                     other='import { a } from "./entry.mjs";\n'
                           "export const b = a;\n")
        self.refused("there is no ./gone.mjs",
                     entry='import { b } from "./gone.mjs";\n')
        self.refused("does not know this form", entry='import "./other.mjs";\n',
                     other="export const b = 1;\n")


if __name__ == "__main__":
    unittest.main()
