"""Who decides which job runs next."""

from __future__ import annotations

from penstock.description.addons import AddonsSpec


def queue_engine(addons: AddonsSpec) -> str | None:
    """The engine of the description's queues, kueue where it names none; None without queues."""
    if addons.queueing is None:
        return None
    return addons.queueing.engine
