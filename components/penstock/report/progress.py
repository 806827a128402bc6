"""Shows that a rehearsal is under way, where a person watches; says nothing to a pipe."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counting(environment: str) -> Iterator[Callable[..., None] | None]:
    """Offers what to call with the URN of each resource, and the step of the engine if there are several.

    None when standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(f"Rehearsing {environment} …") as status:
        seen: Counter[str] = Counter()

        def tick(urn: str, step: str = "") -> None:
            seen[step] += 1
            during = f", {step}" if step else ""
            status.update(f"Rehearsing {environment}{during}: {seen[step]} resources, {urn.rsplit('::', 1)[-1]}")

        yield tick
