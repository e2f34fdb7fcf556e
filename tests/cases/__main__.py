"""Print what happens to each case, or to files in folders named as the kinds, as a table in Markdown."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from tests.cases.cases import CASES
from tests.cases.readers import READERS, outcome

LONGEST = 110


def rows(folder: Path | None) -> Iterator[tuple[str, str, bool, str]]:
    """Yield the kind, the name, whether it was taken, and what was said."""
    if folder is None:
        for case in CASES:
            yield case.kind, case.name, *outcome(case.kind, case.brought)
        return
    for kind in READERS:
        for path in sorted((folder / kind).glob("*")):
            yield kind, path.name, *outcome(kind, path.read_bytes())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--longest", type=int, default=LONGEST, help="characters of what is said")
    arguments = parser.parse_args()
    print("| kind | what was brought | | what is said |\n|---|---|---|---|")
    for kind, name, is_read, said in rows(arguments.folder):
        line = " ".join(said.split()).replace("|", "\\|")
        cut = f"{line[: arguments.longest]}…" if len(line) > arguments.longest else line
        print(
            f"| {kind} | {name.replace('|', chr(92) + '|')} | {'read' if is_read else 'refused'} | {cut} |"
        )


if __name__ == "__main__":
    main()
