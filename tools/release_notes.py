"""Print the notes of a release from the changelog: `python -m tools.release_notes v1.2.3`.

The tag must name the version of the package, and the changelog must have a section of it with at least one entry.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from penstock import __version__

CHANGELOG: Final = Path(__file__).parents[1] / "CHANGELOG.md"


def notes_of(tag: str, changelog: str, version: str) -> str:
    """Return the section of a release, without its heading.

    Args:
        tag: the tag of the release: `v` and the version.
        changelog: the text of the changelog.
        version: the version of the package.

    Raises:
        ValueError: the tag is not of this version, or the changelog has nothing on it.
    """
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, but the package has version {version}: tag v{version}")
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    found = [section.partition("\n")[2].strip() for section in sections if section.startswith(f"[{version}]")]
    if not any(re.search(r"^- ", section, re.MULTILINE) for section in found):
        raise ValueError(f"CHANGELOG.md has no entries below a heading `## [{version}] - YYYY-MM-DD`")
    return found[0] + "\n"


def main() -> None:
    """Print the notes of the tag that the command line names."""
    try:
        print(notes_of(sys.argv[1], CHANGELOG.read_text(encoding="utf-8"), __version__), end="")
    except (IndexError, ValueError) as error:
        sys.exit(f"release_notes: {error}")


if __name__ == "__main__":
    main()
