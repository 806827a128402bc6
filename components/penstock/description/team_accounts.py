"""The service accounts by which the pods of teams read and write buckets, and read secrets."""

from __future__ import annotations

from typing import Final

from penstock.description.platform import Spec
from penstock.description.storage import BucketSpec

TEAM_ACCOUNT: Final = "trainer"
"""The account of the team's namespace that the team's name stands for among readers and writers."""


def with_team_accounts(spec: Spec) -> Spec:
    """Return a description whose readers and writers are service accounts in place of teams."""
    queueing = spec.addons.queueing
    if queueing is None:
        return spec
    accounts = {team.name: f"{team.home}/{TEAM_ACCOUNT}" for team in queueing.teams}

    def named(entries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(accounts.get(entry, entry) for entry in entries))

    storage = tuple(
        item.model_copy(update={"readers": named(item.readers), "writers": named(item.writers)})
        if isinstance(item, BucketSpec)
        else item
        for item in spec.storage
    )
    store = spec.addons.secrets
    secrets = store.model_copy(update={"readers": named(store.readers)}) if store is not None else None
    return spec.model_copy(update={"storage": storage, "addons": spec.addons.model_copy(update={"secrets": secrets})})
