"""Which characters of a source file are code: neither comment nor string.

A mutant must change what the program does, so the operators look only at a
copy of the text in which comments, strings and the preprocessor's lines are
blank. Blanks keep every position valid in the original.
"""
import re

C_SKIPPED = re.compile(
    r'/\*.*?\*/'                                   # comment
    r'|//[^\n]*'
    r'|"(?:\\.|[^"\\\n])*"'                        # string, character
    r"|'(?:\\.|[^'\\\n])*'"
    r'|^[ \t]*#[ \t]*(?!define\b)(?:\\\n|[^\n])*'  # directive with its tail
    r'|^[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)\n]*\))?',  # name, not the body
    re.DOTALL | re.MULTILINE)

LUA_SKIPPED = re.compile(
    r'--\[\[.*?\]\]'
    r'|--[^\n]*'
    r'|\[\[.*?\]\]'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])*'"
    r'|\A#![^\n]*',
    re.DOTALL)

SKIPPED = {'c': C_SKIPPED, 'lua': LUA_SKIPPED}
LANGUAGES = {'.c': 'c', '.h': 'c', '.lua': 'lua'}


def language_of(path: str) -> str:
    """The language of a file, '' for one that is never mutated."""
    return next((language for suffix, language in LANGUAGES.items()
                 if path.endswith(suffix)), '')


def blanked(text: str, language: str) -> str:
    """The text with everything that is not code turned into blanks."""
    def blank(match: 're.Match[str]') -> str:
        return re.sub(r'[^\n]', ' ', match.group())
    return SKIPPED[language].sub(blank, text)


def closing(code: str, at: int) -> int:
    """The position of the parenthesis that closes the one at `at`, or -1."""
    depth = 0
    for i in range(at, len(code)):
        if code[i] == '(':
            depth += 1
        elif code[i] == ')':
            depth -= 1
            if depth == 0:
                return i
    return -1
