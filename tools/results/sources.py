"""C and CUDA sources as tokens and top-level definitions: enough to say which
functions launch, and whether they changed, whatever the comments and the
formatting. It is no compiler: macros stay as they are written, and of
conditional lines (#if) both branches count.
"""
import pathlib
import re
from typing import Dict, Iterable, Iterator, List, NamedTuple, Set

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|\\\n)
      |(?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      |(?P<name>[A-Za-z_]\w*)
      |(?P<number>\.?\d(?:[eEpP][-+]|'(?=\w)|[\w.])*)
      |(?P<mark><<<|>>>|->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^!=<>]=|&&|\|\||::|\.\.\.
         |.)""", re.X | re.S)
_RAW = re.compile(r'\bR"([^ ()\\\n]*)\((.*?)\)\1"', re.S)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:[^\n\\]|\\.|\\\n)*)", re.M |
                        re.S)
_NAME = re.compile(r"[A-Za-z_]\w*")


def files(root: pathlib.Path, main: pathlib.Path) -> List[pathlib.Path]:
    """The source and, followed, the files of its #include "…"."""
    found: List[pathlib.Path] = []
    known: Set[pathlib.Path] = set()

    def follow(path: pathlib.Path) -> None:
        if path in known or not path.is_file():
            return
        known.add(path)
        found.append(path)
        text = path.read_text("utf-8", errors="replace")
        for name in _INCLUDE.findall(text):
            beside = path.parent / name
            follow(beside if beside.is_file() else root / "code" / name)
    follow(main)
    return found


def own_files(root: pathlib.Path, main: pathlib.Path) -> List[pathlib.Path]:
    """Those of the program itself, not of code/common."""
    common = root / "code/common"
    return [path for path in files(root, main) if common not in path.parents]


def tokens(text: str) -> List[str]:
    """Without comments and white space; strings that stand side by side are
    one, as for a compiler."""
    # A raw string is one token, its line ends and all.
    text = _RAW.sub(lambda match: '"' + match[2].replace("\\", "\\\\").replace(
        '"', '\\"').replace("\n", "\\n") + '"', text)
    found: List[str] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "skip":
            continue
        token = match[0]
        if (match.lastgroup == "text" and token.startswith('"') and found and
                found[-1].startswith('"')):
            found[-1] = found[-1][:-1] + token[1:]
        else:
            found.append(token)
    return found


class Definition(NamedTuple):
    """A function, type, variable or macro at the outermost level."""
    names: Set[str]
    tokens: List[str]
    is_function: bool

    @property
    def name(self) -> str:
        """A function's."""
        return next(iter(self.names), "")

    def words(self) -> Set[str]:
        return {one for one in self.tokens if _NAME.fullmatch(one)}

    @property
    def is_of_device(self) -> bool:
        """Does all of it run on the device, so that it is in the PTX?"""
        head = self.tokens[:self.tokens.index("{")] if "{" in self.tokens \
            else self.tokens
        return (bool({"__global__", "__device__", "__constant__"} & set(head))
                and "__host__" not in head)

    @property
    def is_plain_type(self) -> bool:
        """A type that names no number: what it lays out is in the PTX."""
        return ("typedef" in self.tokens or (
            bool({"struct", "class", "union", "using"} & set(self.tokens)) and
            not self.is_function and "=" not in self.tokens)) and not {
                "enum", "constexpr", "const"} & set(self.tokens)


def _without_comments(text: str) -> str:
    def kept(match: "re.Match[str]") -> str:
        if match.lastgroup == "skip" and match[0].startswith("/"):
            return " " + "\n" * match[0].count("\n")
        return match[0]
    return _TOKEN.sub(kept, text)


def _names_of(chunk: List[str], is_function: bool) -> Set[str]:
    if is_function:
        for one, following in zip(chunk, chunk[1:]):
            if (following == "(" and _NAME.fullmatch(one) and
                    not one.startswith("__")):
                return {one}
        return set()
    names: Set[str] = set()
    for before, one, following in zip([""] + chunk, chunk, chunk[1:] + [""]):
        if _NAME.fullmatch(one) and (
                before in ("enum", "struct", "union", "class", "using") or
                following in ("=", "[", ";", "") or
                ("enum" in chunk and following in (",", "}"))):
            names.add(one)
    # A function that is only declared defines nothing.
    return names


def _is_function(chunk: List[str]) -> bool:
    """Up to its "{"."""
    depth = 0
    for one in chunk:
        depth += one in ("(", "[")
        depth -= one in (")", "]")
        if not depth and one == "=" and "operator" not in chunk:
            return False
    return ")" in chunk and not {"enum", "union"} & set(chunk[:1])


def _chunks(all_tokens: List[str]) -> Iterator[Definition]:
    chunk: List[str] = []
    depth, in_function = 0, False
    for token in all_tokens:
        if token == "{" and depth == 0:
            if chunk[:1] == ["namespace"] or chunk == ["extern", '"C"']:
                chunk = []
                continue
            in_function = _is_function(chunk)
        elif token == "}" and depth == 0:
            continue    # of a namespace
        chunk.append(token)
        depth += token in ("{", "(", "[")
        depth -= token in ("}", ")", "]")
        if depth == 0 and (token == ";" or (token == "}" and in_function)):
            yield Definition(_names_of(chunk, in_function), chunk, in_function)
            chunk, in_function = [], False


def definitions(text: str) -> List[Definition]:
    """All of a file, in its order; macros last."""
    text = _without_comments(text)
    macros: List[Definition] = []
    for match in _DIRECTIVE.finditer(text):
        if match[1] == "define":
            said = tokens(match[2])
            macros.append(Definition(set(said[:1]), ["#define"] + said, False))
    return list(_chunks(tokens(_DIRECTIVE.sub("", text)))) + macros


def reached(every: List[Definition],
            roots: Iterable[Definition]) -> List[Definition]:
    """The roots and what they name, followed."""
    by_name: Dict[str, List[Definition]] = {}
    for one in every:
        for name in one.names:
            by_name.setdefault(name, []).append(one)
    found: List[Definition] = []
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        if any(one is other for other in found):
            continue
        found.append(one)
        for word in one.words():
            waiting += [other for other in by_name.get(word, [])
                        if not other.is_of_device and not other.is_plain_type]
    return found
