"""How much there is of what, and how much there may be: the table in `budgets.toml`, which may only fall.

    python -m tests.architecture.budgets             # lines and code lines by room, beside the ceilings
    python -m tests.architecture.budgets FOLDER      # those of another checkout
    python -m tests.architecture.budgets --lower     # lowers what has fallen, strikes exceptions that are none any more

A line of code is one that holds something else than a docstring, an import, a comment or words alone: what
people read on screen may be as long as it has to be. Nothing raises a number but a hand, which writes the
reason as a comment behind it.
"""

import argparse
import ast
import io
import re
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("budgets.toml")
MOST_PARAMETERS = 8
MOST_LINES = {"command": 30, "part": 180, "chart": 80}
ROOMS, RESULTS, PARAMETERS = "code lines by room", "results with functions", "parameters"
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def sources(root=ROOT):
    """Return all modules of the program."""
    return [path for name in ("lm_core", "pages") for path in sorted((root / name).rglob("*.py"))]


def room_of(path, root=ROOT):
    """Return the room of a module: a folder of lm_core, of its experiments, of pages, or of pages/shared."""
    parts = path.relative_to(root).parts[:-1]
    depth = 3 if parts[1:2] in (("experiments",), ("shared",)) else 2
    return "/".join(parts[:depth])


def is_text(node):
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def code_lines(source):
    """Return how many lines of a source hold code."""
    without = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom) or is_text(node):
            without.update(range(node.lineno, node.end_lineno + 1))
    held = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_words = token.type == tokenize.STRING and " " in token.string.strip()
        if token.type not in _NO_CODE and not is_words:
            held.update(range(token.start[0], token.end[0] + 1))
    return len(held - without)


def kind_of(path, root=ROOT):
    """Return what a module's length is measured as, or None."""
    place = path.relative_to(root).as_posix()
    if re.fullmatch(r"lm_core/experiments/\w+/command\.py", place):
        return "command"
    if re.fullmatch(r"pages/shared/charts/\w+\.py|pages/\w+/\w+_charts?\.py", place):
        return "chart"
    if re.fullmatch(r"pages/(?!shared/)\w+/\w+\.py", place):
        return "part"
    return None


def parameters(source):
    """Yield each function's name, by its classes, and how many parameters it has beside self and cls."""

    def walk(node, names):
        for child in ast.iter_child_nodes(node):
            inner = names
            if isinstance(child, ast.ClassDef | ast.FunctionDef):
                inner = (*names, child.name)
            if isinstance(child, ast.FunctionDef):
                arguments = child.args
                given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                yield ".".join(inner), sum(a.arg not in ("self", "cls") for a in given)
            yield from walk(child, inner)

    yield from walk(ast.parse(source), ())


def functions_of_results(source):
    """Return the functions of a module outside its classes."""
    return [n.name for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]


def measured(root=ROOT):
    """Return code lines by room, and all that is beyond its budget, by kind and place."""
    found = {ROOMS: Counter(), RESULTS: {}, PARAMETERS: {}, **{kind: {} for kind in MOST_LINES}}
    for path in sources(root):
        source, place = path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()
        found[ROOMS][room_of(path, root)] += code_lines(source)
        kind, n_lines = kind_of(path, root), source.count("\n")
        if kind and n_lines > MOST_LINES[kind]:
            found[kind][place] = n_lines
        if path.name == "results.py" and (functions := functions_of_results(source)):
            found[RESULTS][place] = len(functions)
        for name, n in parameters(source):
            if n > MOST_PARAMETERS:
                found[PARAMETERS][f"{place}:{name}"] = n
    return found


def table():
    """Return the ceilings."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def lowered(found, ceilings):
    """Return the ceilings, each as low as what is measured; what is below its budget is struck."""
    return {
        kind: {
            place: min(found[kind][place], n) for place, n in rows.items() if place in found[kind]
        }
        for kind, rows in ceilings.items()
    }


def lower():
    """Write the ceilings as low as they can be; reasons behind the numbers stay."""
    new, kept, kind = lowered(measured(), table()), [], ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if header := re.match(r'\["?(.+?)"?\]$', line):
            kind = header[1]
        if row := re.match(r'"(.+)" = \d+(.*)$', line):
            if row[1] not in new[kind]:
                continue
            line = f'"{row[1]}" = {new[kind][row[1]]}{row[2]}'
        kept.append(line)
    TABLE.write_text("\n".join(kept) + "\n", encoding="utf-8")


def show(root):
    """Print what there is, room by room."""
    files, lines = Counter(), Counter()
    for path in sources(root):
        files[room_of(path, root)] += 1
        lines[room_of(path, root)] += path.read_text(encoding="utf-8").count("\n")
    found, ceilings = measured(root), table()[ROOMS]
    print(f"{'room':<46}{'files':>6}{'lines':>8}{'code':>8}{'ceiling':>9}")
    for room in sorted(files):
        ceiling = ceilings.get(room, "")
        print(f"{room:<46}{files[room]:>6}{lines[room]:>8}{found[ROOMS][room]:>8}{ceiling:>9}")
    for name in ("lm_core", "pages", ""):
        chosen = [room for room in files if room.startswith(name)]
        sums = (sum(count[room] for room in chosen) for count in (files, lines, found[ROOMS]))
        print("{:<46}{:>6}{:>8}{:>8}".format(name or "all", *sums))
    for kind in (*MOST_LINES, RESULTS, PARAMETERS):
        print(f"{kind}: {len(found[kind])} beyond the budget")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--lower", action="store_true")
    arguments = parser.parse_args()
    if arguments.lower:
        lower()
    show(arguments.folder.resolve())


if __name__ == "__main__":
    main()
