"""Names that have room for what Pulumi appends to them."""

from __future__ import annotations

from hashlib import sha256

_APPENDED = len("-1a2b3c4")
"""Pulumi makes names unique with a hyphen and seven hexadecimal digits, and fails where these find no room."""

_HASH = 4


def with_room(name: str, most: int) -> str:
    """The name itself if Google's limit of `most` characters leaves room for a suffix; otherwise cut, with a hash.

    The hash is of the whole name, so that names which differ in their ends only stay different.
    """
    room = most - _APPENDED
    if len(name) <= room:
        return name
    digest = sha256(name.encode()).hexdigest()[:_HASH]
    return f"{name[: room - _HASH - 1].rstrip('-')}-{digest}"
