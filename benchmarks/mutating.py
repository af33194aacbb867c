"""The single mutations that a Python source has, and a draw from those of a folder.

A mutation changes one thing of one statement, as somebody's slip would:

| kind | what is changed |
| --- | --- |
| boundary | `<` and `<=`, `>` and `>=` |
| comparison | `==` and `!=`, `in` and `not in`, `is` and `is not` |
| logic | `and` and `or` |
| part | one part of an `and` or `or` is left out |
| condition | a condition is negated |
| arithmetic | `+` and `-`, `*` and `//`, also of `+=`; `&` and `|` |
| extreme | `min` and `max`, `any` and `all` |
| number | one more, one less |
| truth | `True` and `False` |
| word | a word, such as a cause or the number of a rule, is the next one that stands in the same role |
| member | a member of a set, a dict or a list of constants is left out |
| arguments | two neighbouring arguments of a call are swapped |
| statement | a call or an assignment is left out |
| return | another value that the function returns |

Annotations, decorators, docstrings, sentences, messages of errors, assertions and `__all__` have none.

A mutation has a name that does not change with the lines above it: its file, function, kind and text, and a
number among those that are alike.
"""

import ast
import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

Bytes = tuple[int, int]
"""From which byte of a source to which."""
Change = tuple[str, Bytes, str]
"""A kind, the bytes that are replaced, and by what text."""


class Site(msgspec.Struct, frozen=True):
    """A mutation: `before` stands at `line` of `file`, `start` bytes from the file's beginning, and becomes
    `after`.
    """

    name: str
    file: str
    line: int
    kind: str
    start: int
    before: str
    after: str

    def applied(self, source: str) -> str:
        """The source with it."""
        raw, before = source.encode(), self.before.encode()
        return (raw[: self.start] + self.after.encode() + raw[self.start + len(before) :]).decode()


@dataclass(slots=True)
class _Place:
    """A node, and where it stands: the nodes around it, from the outermost one."""

    node: ast.AST
    around: tuple[ast.AST, ...]

    @property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The function in which it stands."""
        inside = [one for one in self.around if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        return inside[-1] if inside else None

    @property
    def scope(self) -> str:
        """The names of the classes and functions, or of the module's variable, in which it stands."""
        names = [
            one.name
            for one in self.around
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        ]
        if not names:
            for one in (*self.around, self.node):
                match one:
                    case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                        names.append(name)
        return ".".join(names)


class _Source:
    """A source and its tree."""

    def __init__(self, text: str) -> None:
        self.raw = text.encode()
        self.tree = ast.parse(text)
        self._lines = [0]
        for line in self.raw.split(b"\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.places = list(_places(self.tree, ()))
        self.words = _roles(self.places)

    def at(self, node: ast.AST) -> Bytes:
        assert isinstance(node, ast.expr | ast.stmt) and node.end_lineno and node.end_col_offset is not None
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        return self.between(*self.at(node))

    def between(self, start: int, end: int) -> str:
        return self.raw[start:end].decode()

    def line(self, byte: int) -> int:
        return self.raw.count(b"\n", 0, byte) + 1


_NOT_BELOW: Final = (
    ast.Assert | ast.Raise | ast.Import | ast.ImportFrom | ast.JoinedStr | ast.Global | ast.Nonlocal
)
_UNTOUCHED: Final = frozenset({"annotation", "returns", "decorator_list", "bases", "type_params"})
_DECLARING: Final = frozenset({"Literal", "TypeVar", "cast", "ParamSpec", "NewType", "field"})
_WORD: Final = re.compile(r"[A-Za-z0-9][\w().-]*")
_UNLIKE: Final = frozenset({"hand", "notes", "table", "setup", "tokens", "book", "self"})
"""Variables whose values nobody takes for another one's: the first call would crash."""


def _places(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[_Place]:
    """The nodes in which something may be changed, from the first line on."""
    match node:
        case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Name(id=name)) if name in _DECLARING:
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Expr(value=ast.Constant()):
            return
        case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("__"):
            return
    if isinstance(node, _NOT_BELOW):
        return
    yield _Place(node, around)
    for name, value in ast.iter_fields(node):
        if name in _UNTOUCHED or (name == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST):
                yield from _places(inner, (*around, node))


def _role(place: _Place) -> str:
    """As what a word stands where it does: which argument of what, what it is compared with, and so on."""
    node, parent = place.node, place.around[-1]
    match parent:
        case ast.Call():
            number = parent.args.index(node) if isinstance(node, ast.expr) and node in parent.args else -1
            return f"argument {number} of {ast.unparse(parent.func)}"
        case ast.keyword():
            return f"argument {parent.arg}"
        case ast.Compare():
            return f"compared with {ast.unparse(parent.left)}"
        case ast.Dict():
            return "value" if node in parent.values else "key"
        case ast.MatchValue():
            return "case"
    return type(parent).__name__


def _roles(places: Iterable[_Place]) -> dict[str, list[str]]:
    """The words of a source by their role, each once."""
    found: dict[str, dict[str, None]] = {}
    for place in places:
        if isinstance(place.node, ast.Constant) and isinstance(place.node.value, str):
            found.setdefault(_role(place), {})[place.node.value] = None
    return {
        role: [word for word in words if not word or _WORD.fullmatch(word)] for role, words in found.items()
    }


_OPERATORS: Final[dict[type[ast.AST], tuple[str, str, str]]] = {
    ast.Lt: ("boundary", "<", "<="),
    ast.LtE: ("boundary", "<=", "<"),
    ast.Gt: ("boundary", ">", ">="),
    ast.GtE: ("boundary", ">=", ">"),
    ast.Eq: ("comparison", "==", "!="),
    ast.NotEq: ("comparison", "!=", "=="),
    ast.In: ("comparison", "in", "not in"),
    ast.NotIn: ("comparison", "not in", "in"),
    ast.Is: ("comparison", "is", "is not"),
    ast.IsNot: ("comparison", "is not", "is"),
    ast.Add: ("arithmetic", "+", "-"),
    ast.Sub: ("arithmetic", "-", "+"),
    ast.Mult: ("arithmetic", "*", "//"),
    ast.FloorDiv: ("arithmetic", "//", "*"),
    ast.BitAnd: ("arithmetic", "&", "|"),
    ast.BitOr: ("arithmetic", "|", "&"),
    ast.And: ("logic", "and", "or"),
    ast.Or: ("logic", "or", "and"),
}
_EXTREMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


def _operator(source: _Source, left: ast.AST, right: ast.AST, operator: ast.AST) -> Iterator[Change]:
    """The operator between two operands replaced."""
    if type(operator) in _OPERATORS:
        kind, before, after = _OPERATORS[type(operator)]
        start = source.at(left)[1]
        between = source.between(start, source.at(right)[0])
        if between.count(before) == 1:
            start += len(between.partition(before)[0].encode())
            yield kind, (start, start + len(before)), after


def _operators(source: _Source, place: _Place) -> Iterator[Change]:
    match place.node:
        case ast.Compare(left=left, ops=operators, comparators=compared):
            for one, operator, other in zip((left, *compared), operators, compared, strict=False):
                yield from _operator(source, one, other, operator)
        case ast.BinOp(left=left, right=right, op=operator) if place.function is not None:
            if not {type(left), type(right)} & {ast.JoinedStr, ast.Constant, ast.List, ast.Tuple} or all(
                not isinstance(one, ast.Constant) or isinstance(one.value, int) for one in (left, right)
            ):
                yield from _operator(source, left, right, operator)
        case ast.AugAssign(target=left, value=right, op=operator):
            yield from _operator(source, left, right, operator)


def _logic(source: _Source, place: _Place) -> Iterator[Change]:
    match place.node:
        case ast.BoolOp(op=operator, values=values):
            other = ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            yield "logic", source.at(place.node), ast.unparse(other)
            for number in range(len(values)):
                left = [*values[:number], *values[number + 1 :]]
                rest = left[0] if len(left) == 1 else ast.BoolOp(operator, left)
                yield "part", source.at(place.node), f"({ast.unparse(rest)})"


def _condition(source: _Source, place: _Place) -> Iterator[Change]:
    conditions: list[ast.expr] = []
    match place.node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            conditions = [test]
        case ast.comprehension(ifs=conditions):
            pass
    for test in conditions:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield "condition", source.at(test), f"({ast.unparse(test.operand)})"
        else:
            yield "condition", source.at(test), f"(not ({ast.unparse(test)}))"


def _constant(source: _Source, place: _Place) -> Iterator[Change]:
    match place.node:
        case ast.Constant(value=bool(value)):
            yield "truth", source.at(place.node), str(not value)
        case ast.Constant(value=int(value)):
            yield "number", source.at(place.node), str(value + 1)
            yield "number", source.at(place.node), f"({value - 1})" if value < 1 else str(value - 1)
        case ast.Constant(value=str(value)) if _WORD.fullmatch(value):
            words = source.words[_role(place)]
            other = words[(words.index(value) + 1) % len(words)]
            yield "word", source.at(place.node), f'"{other}"' if other != value else '""'


def _extreme(source: _Source, place: _Place) -> Iterator[Change]:
    match place.node:
        case ast.Call(func=ast.Name(id=name) as called) if name in _EXTREMES:
            yield "extreme", source.at(called), _EXTREMES[name]


def _member(source: _Source, place: _Place) -> Iterator[Change]:
    members: list[Bytes] = []
    match place.node:
        case ast.Set(elts=elements):
            members = [source.at(one) for one in elements]
        case ast.Dict(keys=keys, values=values) if all(keys):
            members = [
                (source.at(key)[0], source.at(value)[1])
                for key, value in zip(keys, values, strict=True)
                if key is not None
            ]
        case ast.Tuple(elts=elements, ctx=ast.Load()) | ast.List(elts=elements, ctx=ast.Load()):
            if isinstance(place.around[-1], ast.Compare) or (
                place.function is None and isinstance(place.around[-1], ast.Assign | ast.AnnAssign)
            ):
                members = [source.at(one) for one in elements]
    if len(members) > 1:
        for number, (start, end) in enumerate(members):
            last = number == len(members) - 1
            yield "member", (members[number - 1][1], end) if last else (start, members[number + 1][0]), ""


def _arguments(source: _Source, place: _Place) -> Iterator[Change]:
    match place.node:
        case ast.Call(func=called, args=arguments) if ast.unparse(called) not in ("min", "max"):
            for one, other in pairwise(arguments):
                first, second = source.text(one), source.text(other)
                if type(one) is not type(other) or first == second or isinstance(one, ast.Starred):
                    continue
                if not {first, second} & _UNLIKE:
                    (start, middle), (on, end) = source.at(one), source.at(other)
                    yield "arguments", (start, end), second + source.between(middle, on) + first


def _statement(source: _Source, place: _Place) -> Iterator[Change]:
    function = place.function
    if function is None:
        return
    match place.node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            # Without the only assignment to a variable its function crashes.
            others = (one for one in ast.walk(function) if isinstance(one, ast.Name) and one.id == name)
            if sum(isinstance(one.ctx, ast.Store) for one in others) > 1:
                yield "statement", source.at(place.node), "pass"
        case (
            ast.Expr(value=ast.Call())
            | ast.AugAssign()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ):
            yield "statement", source.at(place.node), "pass"


def _return(source: _Source, place: _Place) -> Iterator[Change]:
    match place.node:
        case ast.Return(value=ast.expr() as value) if place.function is not None:
            here = ast.unparse(value)
            for other in ast.walk(place.function):
                if isinstance(other, ast.Return) and other.value and ast.unparse(other.value) != here:
                    yield "return", source.at(value), f"({ast.unparse(other.value)})"
                    break


_MUTATORS: Final[tuple[Callable[[_Source, _Place], Iterator[Change]], ...]] = (
    _operators,
    _logic,
    _condition,
    _constant,
    _extreme,
    _member,
    _arguments,
    _statement,
    _return,
)


def _compiles(source: str) -> bool:
    try:
        compile(source, "", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def sites(text: str, file: str) -> Iterator[Site]:
    """All mutations of a source. Raises SyntaxError."""
    source = _Source(text)
    alike: Counter[str] = Counter()
    for place in source.places:
        for mutator in _MUTATORS:
            for kind, (start, end), after in mutator(source, place):
                before = source.between(start, end)
                shown = " ".join(before.split()), " ".join(after.split()) or "nothing"
                name = f"{file} {place.scope}: {kind}: {shown[0]} -> {shown[1]}"
                alike[name] += 1
                number = f" #{alike[name]}" if alike[name] > 1 else ""
                yield Site(name + number, file, source.line(start), kind, start, before, after)


def lines_of_code(text: str) -> int:
    """The lines on which a statement or an expression begins; sentences have one line each."""
    return len({node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt | ast.expr)})


def drawn(root: Path, folders: Iterable[str], seed: int, count: int) -> list[Site]:
    """`count` mutations of the files below these folders of `root`, by file and line: a file is drawn as
    often as it has lines of code, and each kind that it has as often as the others. The same seed draws the
    same as long as the files are the same, and mostly the same when a few lines of them change. No two are
    of one line.
    """
    ranked: list[tuple[float, str, Site]] = []
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*.py")):
        file, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        found = list(sites(text, file))
        kinds, lines = Counter(one.kind for one in found), lines_of_code(text)
        for one in found:
            # Weighted drawing without replacement (Efraimidis and Spirakis 2006), with a hash for the chance.
            chance = int.from_bytes(hashlib.sha256(f"{seed} {one.name}".encode()).digest()[:8], "big") + 1
            ranked.append((math.log(chance / 2**64) * len(kinds) * kinds[one.kind] / lines, one.name, one))
    chosen: list[Site] = []
    taken: set[tuple[str, int]] = set()
    for _, _, one in sorted(ranked, key=lambda rank: rank[:2], reverse=True):
        if len(chosen) < count and (one.file, one.line) not in taken:
            changed = one.applied((root / one.file).read_text(encoding="utf-8"))
            if _compiles(changed):
                taken.add((one.file, one.line))
                chosen.append(one)
    return sorted(chosen, key=lambda one: (one.file, one.line))
