"""The keys of a stack's configuration that Penstock reads; any other below `penstock:` is a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from penstock.core.wording import one_of, quoted
from penstock.description import document
from penstock.description.codes import Code
from penstock.description.problems import Coded, Problem
from penstock.rules import settings

NAMESPACE: Final = "penstock:"
QUOTAS: Final = "penstock:quotas"
STACK_OUTPUTS: Final = "penstock:stackOutputs"
USAGE: Final = "penstock:usage"
KEYS: Final = (document.KEY, settings.KEY, QUOTAS, STACK_OUTPUTS, USAGE)


def unknown_keys(config: Iterable[str]) -> Iterator[Coded]:
    """Yield a problem for each key below `penstock:` that is not one of ours: a typo there would turn policies off."""
    for key in config:
        if key.startswith(NAMESPACE) and key not in KEYS:
            message = f"{quoted(key)} is not a key that Penstock reads."
            yield Code.UNKNOWN_FIELD, Problem((key,), message, one_of(key, KEYS, "Keys"))
