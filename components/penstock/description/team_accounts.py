"""The service accounts by which the pods of teams read and write buckets, and read secrets."""

from __future__ import annotations

from penstock.description.platform import Spec
from penstock.description.storage import BucketSpec


def with_team_accounts(spec: Spec) -> Spec:
    """Return a description whose readers and writers are service accounts in place of teams."""
    accounts = dict(spec.addons.team_accounts())
    if not accounts:
        return spec

    def named(entries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(accounts.get(entry, entry) for entry in entries))

    storage = tuple(
        item.model_copy(update={"readers": named(item.readers), "writers": named(item.writers)})
        if isinstance(item, BucketSpec)
        else item
        for item in spec.storage
    )
    addons = spec.addons.changed(lambda block: block.with_readers(named))
    return spec.model_copy(update={"storage": storage, "addons": addons})
