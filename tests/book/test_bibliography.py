"""book/bibliography.json is in the order in which it is printed.

Neither citeproc nor page.lua sorts it: by first author, further authors, year
(what has none comes last), then title.
"""
import json
import pathlib
import re
import unicodedata
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def plain(text: str) -> str:
    """Letters, digits and spaces only, without case or accents."""
    text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in text if c.isalnum() or c == " ")


def sort_key(entry: dict) -> tuple:
    names = [plain(f"{a.get('family', a.get('literal'))} {a.get('given', '')}")
             for a in entry.get("author", [{"literal": entry["title"]}])]
    year = entry.get("issued", {}).get("date-parts", [[9999]])[0][0]
    return names, int(year), plain(entry["title"])


class Bibliography(unittest.TestCase):
    def setUp(self) -> None:
        self.text = (ROOT / "book/bibliography.json").read_text("utf-8")
        self.entries = json.loads(self.text)

    def test_order(self) -> None:
        keys = [entry["id"] for entry in self.entries]
        right = [entry["id"] for entry in sorted(self.entries, key=sort_key)]
        for key, expected in zip(keys, right):
            self.assertEqual(key, expected, f"'{expected}' comes before "
                             f"'{key}' in print: move it there")

    def test_keys_as_page_lua_reads_them(self) -> None:
        found = re.findall(r'^ *"id": "(.*)",$', self.text, re.MULTILINE)
        self.assertEqual(found, [entry["id"] for entry in self.entries])
        self.assertEqual(len(found), len(set(found)), "a key is there twice")

    def test_entries_as_reference_lua_cuts_them(self) -> None:
        found = re.findall(r"\n  {\n.*?\n  }", self.text, re.DOTALL)
        self.assertEqual([json.loads(entry) for entry in found], self.entries)


if __name__ == "__main__":
    unittest.main()
