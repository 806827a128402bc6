"""Words of messages: values in quotes, lists of what is allowed, the nearest known word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from penstock.core.spelling import SUGGESTED, SUGGESTION, suggestion

_LONGEST_QUOTE = 60
_LONGEST_NUMBER_BITS = 128


def quoted(value: object) -> str:
    """A value as a message shows it: text in quotes and cut to one line, numbers as in YAML, the rest by its kind."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER_BITS:
        return "a huge number"  # Python refuses to write the longest ones
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return repr(shortened(value))
    return "a list" if isinstance(value, Sequence) else "a block"


def shortened(text: str, longest: int = _LONGEST_QUOTE) -> str:
    """The text, cut where it is longer than a message can show."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def listed(words: Iterable[object], most: int | None = None) -> str:
    """`a, b, c`; if there are more than `most` words, `a, b and 3 more`."""
    texts = [str(word) for word in words]
    rest = len(texts) - most if most is not None else 0
    return f"{', '.join(texts[:most])} and {rest} more" if rest > 0 else ", ".join(texts)


def plural(count: float, noun: str, several: str | None = None) -> str:
    """`1 node`, `2 nodes`; `several` is the plural of a noun that takes no simple s."""
    return f"{count} {inflect(count, noun, several or f'{noun}s')}"


def inflect(count: float, one: str, several: str) -> str:
    """The word for a count: `one` for 1, `several` for any other."""
    return one if count == 1 else several


def did_you_mean(word: object, known: Sequence[str]) -> str:
    """`Did you mean h100?`, or nothing when no known word is near."""
    import difflib  # slow to import, and only a mistake needs it

    wanted = shortened(str(word)).lower()
    near = next((key for key in known if wanted and key.startswith(wanted)), "")
    if not near:  # of words that are equally near the first: difflib.get_close_matches has the last of the alphabet
        likeness = {key: difflib.SequenceMatcher(None, key, wanted).ratio() for key in known}
        near = max((key for key in known if likeness[key] >= SUGGESTED), key=lambda key: likeness[key], default="")
    return suggestion([near] if near else [])


def is_suggestion(hint: str) -> bool:
    """Return whether a hint begins with the word that was meant."""
    return hint.startswith(SUGGESTION)


def one_of(word: object, known: Sequence[str], intro: str = "Allowed") -> str:
    """The nearest known word, then all of them: as in `Did you mean spot? Allowed: on_demand, spot`."""
    return f"{did_you_mean(word, known)} {intro}: {listed(known)}.".strip()
