"""Shows that a rehearsal is under way, where a person watches; says nothing to a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counting(environment: str) -> Iterator[Callable[[str], None] | None]:
    """Offers what to call with the URN of each resource; None when standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(f"Rehearsing {environment} …") as status:
        seen = 0

        def tick(urn: str) -> None:
            nonlocal seen
            seen += 1
            status.update(f"Rehearsing {environment}: {seen} resources, {urn.rsplit('::', 1)[-1]}")

        yield tick
