"""The mutants of a file, and which of them a run takes.

An operator is a name and a function from blanked code to edits; an edit
replaces the characters from `start` to `end` by `text`. Adding an operator to
OPERATORS is all that a new one needs.
"""
import hashlib
import re
from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Set, Tuple

from code_text import blanked, closing, language_of

Edit = Tuple[int, int, str]
Operator = Callable[[str, str], Iterator[Edit]]


@dataclass(frozen=True)
class Mutant:
    """One change to one file."""
    path: str
    operator: str
    line: int
    before: str    # the lines it touches, joined and trimmed
    after: str
    nth: int       # of the changes that read the same in this file
    start: int
    end: int
    text: str

    @property
    def key(self) -> str:
        """A name that survives edits elsewhere in the file."""
        parts = (self.path, self.operator, self.before, self.after,
                 str(self.nth))
        return hashlib.sha256('\0'.join(parts).encode()).hexdigest()[:10]

    def applied(self, original: str) -> str:
        """The mutated file."""
        return original[:self.start] + self.text + original[self.end:]


def swaps(table: Dict[str, Dict[str, str]]) -> Operator:
    """Replaces tokens that stand between blanks, so no unary operator."""
    def edits(code: str, language: str) -> Iterator[Edit]:
        words = table[language]
        tokens = '|'.join(re.escape(w)
                          for w in sorted(words, key=len, reverse=True))
        for match in re.finditer(r'(?<=[ \n])(' + tokens + r')(?=[ \n])',
                                 code):
            yield match.start(), match.end(), words[match.group()]
    return edits


def constants(code: str, language: str) -> Iterator[Edit]:
    """Whole numbers, one too large."""
    del language
    for match in re.finditer(r'(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)'
                             r'(?=[uUlL]*(?![\w.]))', code):
        number = match.group()
        base = 16 if number[:2].lower() == '0x' else 10
        more = int(number, base) + 1
        yield (match.start(), match.end(),
               hex(more) if base == 16 else str(more))


def steps(code: str, language: str) -> Iterator[Edit]:
    """++ and -- against each other, but not in the head of a `for`, which
    would only never end."""
    if language == 'c':
        for match in re.finditer(r'\+\+|--', code):
            if 'for (' in code[code.rfind('\n', 0, match.start()):
                               match.start()]:
                continue
            yield (match.start(), match.end(),
                   '--' if match.group() == '++' else '++')


def conditions(code: str, language: str) -> Iterator[Edit]:
    """if, while: the other way round."""
    if language == 'lua':
        for match in re.finditer(r'\b(?:if|elseif|while)\b(.+?)\b(?:then|do)\b',
                                 code):
            yield match.start(1), match.end(1), ' not (' + '\1' + ') '
        return
    for match in re.finditer(r'\b(?:if|while) \(', code):
        end = closing(code, match.end() - 1)
        if end > 0:
            yield match.end(), end, '!(\1)'


def negations(code: str, language: str) -> Iterator[Edit]:
    """A `not` less."""
    pattern = r'\bnot ' if language == 'lua' else r'(?<![\w)\]])!(?!=)'
    for match in re.finditer(pattern, code):
        yield match.start(), match.end(), ''


C_STATEMENT = re.compile(
    r'^[ \t]+(?!return\b|break\b|continue\b|goto\b|case\b|default\b|else\b|'
    r'\(void\))'
    r'(?:[\w.>\-]|\[[^\]\n]*\])+'               # what is assigned or called
    r'(?: (?:[+\-*/%&|^]|<<|>>)?= [^;\n]+|\([^;\n]*\)|\+\+|--);[ \t]*$',
    re.MULTILINE)
LUA_STATEMENT = re.compile(
    r'^[ \t]+(?!local\b|return\b|function\b|if\b|for\b|while\b|else\b|end\b)'
    r'[\w.:]+(?:\[[^\]\n]*\])*(?:\([^\n]*\)| = [^\n,{]*[^\n,{(\s])$',
    re.MULTILINE)


def statements(code: str, language: str) -> Iterator[Edit]:
    """A statement of one line that is dropped."""
    pattern = C_STATEMENT if language == 'c' else LUA_STATEMENT
    for match in pattern.finditer(code):
        before = code[:match.start()].rstrip()
        first = match.start() + len(match.group()) - len(match.group().lstrip())
        if language == 'c':
            if before.endswith((';', '{', '}', ')', 'else', ':')):
                yield first, match.end(), ';'
        elif match.group().count('(') == match.group().count(')'):
            if not before.endswith((',', '(', '{', '=', 'and', 'or', '..')):
                yield first, match.end(), ''


RELATIONS = {
    'c': {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='},
    'lua': {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '~=',
            '~=': '=='}}
ARITHMETIC = {
    'c': {'+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '+=': '-=',
          '-=': '+=', '*=': '+=', '<<': '>>', '>>': '<<', '&': '|',
          '|': '&', '^': '&', '|=': '&=', '&=': '|=', '^=': '|='},
    'lua': {'+': '-', '-': '+', '*': '+', '/': '*', '%': '/'}}
JUNCTIONS = {'c': {'&&': '||', '||': '&&'},
             'lua': {'and': 'or', 'or': 'and'}}


def truths(code: str, language: str) -> Iterator[Edit]:
    """true and false; leaving a loop and going on in it."""
    words = {'true': 'false', 'false': 'true'}
    if language == 'c':
        words['continue'] = 'break'
    for match in re.finditer(r'\b(?:' + '|'.join(words) + r')\b', code):
        yield match.start(), match.end(), words[match.group()]


OPERATORS: Dict[str, Operator] = {
    'relation': swaps(RELATIONS),
    'arithmetic': swaps(ARITHMETIC),
    'and/or': swaps(JUNCTIONS),
    'constant + 1': constants,
    '++/--': steps,
    'negated condition': conditions,
    'dropped negation': negations,
    'dropped statement': statements,
    'truth': truths,
}


def joined(text: str) -> str:
    """Lines as one, for a table."""
    return ' '.join(text.split())


def mutants_of(path: str, original: str) -> List[Mutant]:
    """All mutants of a file, in the order of its text."""
    language = language_of(path)
    code = blanked(original, language)
    found: List[Mutant] = []
    seen: Dict[Tuple[str, str, str], int] = {}
    for operator, edits in OPERATORS.items():
        for start, end, text in edits(code, language):
            text = text.replace('\1', original[start:end].strip()
                                if language == 'lua' else original[start:end])
            from_ = original.rfind('\n', 0, start) + 1
            to = original.find('\n', end)
            to = len(original) if to < 0 else to
            before = joined(original[from_:to])
            after = joined(original[from_:start] + text + original[end:to])
            same = (operator, before, after)
            seen[same] = seen.get(same, 0) + 1
            found.append(Mutant(path, operator, original.count('\n', 0, start)
                                + 1, before, after, seen[same], start, end,
                                text))
    return sorted(found, key=lambda m: (m.start, m.operator))


def chosen(mutants: List[Mutant], seed: str) -> List[Mutant]:
    """The mutants in the order in which a run takes them: at random by the
    seed, the operators in turn so that the frequent ones do not crowd out the
    others. An edit elsewhere leaves the order of the rest as it is."""
    by_operator: Dict[str, List[Mutant]] = {}
    def rank(mutant: Mutant) -> str:
        return hashlib.sha256((seed + mutant.key).encode()).hexdigest()
    for mutant in sorted(mutants, key=rank):
        by_operator.setdefault(mutant.operator, []).append(mutant)
    order: List[Mutant] = []
    while by_operator:
        for operator in list(OPERATORS):
            queue = by_operator.get(operator, [])
            if queue:
                order.append(queue.pop(0))
            if operator in by_operator and not queue:
                del by_operator[operator]
    return order


def lines_of_diff(words: str) -> Dict[str, Set[int]]:
    """The new lines of each file in what `git diff -U0 --no-prefix` says."""
    lines: Dict[str, Set[int]] = {}
    path = ''
    for line in words.splitlines():
        if line.startswith('+++ '):
            path = line[4:].rstrip('\t')
        match = re.match(r'@@ -\S+ \+(\d+)(?:,(\d+))? @@', line)
        if match:
            first, n = int(match[1]), int(match[2] or 1)
            lines.setdefault(path, set()).update(range(first, first + n))
    return lines
