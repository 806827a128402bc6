"""Shows that a rehearsal is under way, where a person watches; says nothing to a pipe."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from penstock.report.wording import resource_of


@contextmanager
def counting(environment: str) -> Iterator[Callable[..., None] | None]:
    """Offers what to call with the URN of each resource, and the step of the engine if there are several.

    None when standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    from penstock.report.terminal import harmless_text

    console = Console(stderr=True)
    with console.status(harmless_text(f"Rehearsing {environment} …")) as status:
        seen: Counter[str] = Counter()

        def tick(urn: str, step: str = "") -> None:
            seen[step] += 1
            during = f", {step}" if step else ""
            name = resource_of(urn)[0]
            status.update(harmless_text(f"Rehearsing {environment}{during}: {seen[step]} resources, {name}"))

        yield tick


@contextmanager
def answering(environment: str) -> Iterator[Callable[[int, int], None] | None]:
    """Offers what to call with the count of the answers and of the questions; None as for `counting`."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    from penstock.report.terminal import harmless_text

    with Console(stderr=True).status(harmless_text(f"Asking the clouds of {environment} …")) as status:

        def tick(answers: int, questions: int) -> None:
            status.update(harmless_text(f"Asking the clouds of {environment}: {answers} of {questions} answers"))

        yield tick
