"""Misspelt words: the known words that one is near to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

SUGGESTION: Final = "Did you mean "
SUGGESTED: Final = 0.6
"""Likeness of a word to suggest in a hint. The default of difflib."""
MISSPELT: Final = 0.8
"""Likeness of a word to report as a misspelling, where an unknown word may be right."""
MISSPELT_WITH_AFFIX: Final = 0.85
"""As `MISSPELT`, for words that share a part, such as `nvidia.com/` or `gcp-sa-`."""


def near_matches(word: str, known: Iterable[str], *, likeness: float = SUGGESTED, most: int = 1) -> list[str]:
    """Return the known words near to a word, the nearest first.

    Args:
        word: the word that may be misspelt. Letter case counts.
        known: the words to compare with.
        likeness: the least share that two words have in common, from 0 to 1.
        most: how many to return.
    """
    from difflib import get_close_matches  # slow to import, and only a mistake needs it

    return get_close_matches(word, list(known), n=most, cutoff=likeness)


def suggestion(words: Sequence[str]) -> str:
    """Return `Did you mean a or b?`, or an empty text without words."""
    return f"{SUGGESTION}{' or '.join(words)}?" if words else ""
