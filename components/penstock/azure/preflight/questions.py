"""What a thing of Azure is asked by: each is read at its own id, in a version of its API."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AzureQuestion:
    """A GET of an id.

    Attributes:
        kind: The kind of thing.
        api_version: The version of the API.
        state: Where the answer has the state, with dots; empty where being there is enough.
        good: The states in which it can be used; `None` where it may have none.
    """

    kind: str
    api_version: str
    state: str
    good: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str
