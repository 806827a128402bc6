"""Shows that work is under way, where a person watches; says nothing to a pipe."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from penstock.core.findings import resource_of


@contextmanager
def counting(environment: str, doing: str = "Rehearsing") -> Iterator[Callable[..., None] | None]:
    """Shows what is done to an environment; offers what to call with each resource's URN and the engine's step.

    None when standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    from penstock.report.terminal import harmless_text

    console = Console(stderr=True)
    with console.status(harmless_text(f"{doing} {environment} …")) as status:
        seen: Counter[str] = Counter()

        def tick(urn: str, step: str = "") -> None:
            seen[step] += 1
            during = f", {step}" if step else ""
            name = resource_of(urn)[0]
            status.update(harmless_text(f"{doing} {environment}{during}: {seen[step]} resources, {name}"))

        yield tick


@contextmanager
def answering(doing: str, of: str) -> Iterator[Callable[[int, int], None] | None]:
    """Offers what to call with the count of what is done, such as answers, and of all; None as for `counting`."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    from penstock.report.terminal import harmless_text

    with Console(stderr=True).status(harmless_text(f"{doing} …")) as status:

        def tick(done: int, all_: int) -> None:
            status.update(harmless_text(f"{doing}: {done} of {all_} {of}"))

        yield tick
