"""Names that have room for what Pulumi appends to them."""

from __future__ import annotations

from hashlib import sha256

_APPENDED = len("-1a2b3c4")
"""Pulumi makes names unique by a suffix, and fails where that finds no room: a hyphen and seven hexadecimal digits, or
eight digits alone on Azure."""

_HASH = 4


def with_room(name: str, most: int) -> str:
    """The name itself if the cloud's limit of `most` characters leaves room for a suffix; otherwise cut, with a hash.

    The hash is of the whole name, so that names which differ in their ends only stay different.
    """
    room = most - _APPENDED
    if len(name) <= room:
        return name
    digest = sha256(name.encode()).hexdigest()[:_HASH]
    return f"{name[: room - _HASH - 1].rstrip('-')}-{digest}"


def letters_with_room(name: str, most: int) -> str:
    """The same of the letters and digits of a name, for a cloud that takes nothing else."""
    return letters_of(name, most - _APPENDED)


def letters_of(name: str, most: int) -> str:
    """The name itself if it is of at most `most` letters and digits; otherwise these, cut, with a hash.

    Without the hash, a-bc and ab-c would be one.
    """
    plain = "".join(letter for letter in name if letter.isalnum())
    if plain == name and len(name) <= most:
        return name
    digest = sha256(name.encode()).hexdigest()[:_HASH]
    return f"{plain[: most - _HASH]}{digest}"
