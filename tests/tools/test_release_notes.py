"""Notes of a release come from its section of the changelog; a wrong tag or an empty section ends the release."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tools.release_notes import CHANGELOG, notes_of

CHANGES = """# Changelog

## [Unreleased]

### Added

- Add the next thing.

## [0.2.0] - 2026-12-01

### Added

- Add `init`.

### Fixed

- Fix `diff`.

## [0.1.0] - 2026-11-01

- First release.
"""


def test_notes_are_the_section_of_the_version_and_nothing_else() -> None:
    assert notes_of("v0.2.0", CHANGES, "0.2.0") == "### Added\n\n- Add `init`.\n\n### Fixed\n\n- Fix `diff`.\n"


@pytest.mark.parametrize(
    ("tag", "version", "expected"),
    [
        ("v0.2.1", "0.2.0", "the tag is v0.2.1, but the package has version 0.2.0: tag v0.2.0"),
        ("0.2.0", "0.2.0", "tag v0.2.0"),
        ("v0.3.0", "0.3.0", "no entries below a heading `## [0.3.0] - YYYY-MM-DD`"),
        ("v0.2", "0.2", "no entries"),
    ],
)
def test_a_release_without_notes_or_with_another_tag_is_refused(tag: str, version: str, expected: str) -> None:
    with pytest.raises(ValueError, match=r"^(the tag|CHANGELOG)") as error:
        notes_of(tag, CHANGES, version)

    assert expected in str(error.value)


def test_the_changelog_has_sections_that_the_tool_can_read() -> None:
    text = CHANGELOG.read_text(encoding="utf-8").replace("## [Unreleased]", "## [9.9.9] - 2026-12-01")

    assert notes_of("v9.9.9", text, "9.9.9").startswith("### Added\n\n- ")


def test_a_wrong_tag_ends_with_one_line_and_no_traceback() -> None:
    command = [sys.executable, "-m", "tools.release_notes", "v0.0.0"]
    result = subprocess.run(command, cwd=CHANGELOG.parent, capture_output=True, text=True, check=False)

    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith("release_notes: the tag is v0.0.0, but the package has version ")
