"""Teams: which namespace a job goes to, and whether it waits in a queue there."""

from __future__ import annotations

from penstock.addons.queueing.block import QueueingSpec
from penstock.core.errors import ImpossibleJob
from penstock.core.wording import listed, one_of, quoted
from penstock.description.platform import Spec

_DEFAULT = "default"


def namespace_for(spec: Spec, *, team: str | None, namespace: str | None) -> str:
    """The namespace of a job: that of a team, or the one named.

    Raises:
        ImpossibleJob: there is no such team; both are named, and differ; or neither is, where teams share the
            accelerators: outside of their namespaces, a job would take accelerators past every queue.
    """
    homes = _homes(spec)
    if team is not None:
        if team not in homes:
            found = one_of(team, tuple(homes), "Teams") if homes else "Describe teams in addons.queueing."
            raise ImpossibleJob(f"There is no team {quoted(team)}. {found}")
        if namespace not in (None, homes[team]):
            raise ImpossibleJob(f"Jobs of team {team} run in the namespace {homes[team]}. Leave --namespace out.")
        return homes[team]
    if namespace is None and homes:
        raise ImpossibleJob(f"Jobs wait in the queue of a team. Name one with --team: {listed(tuple(homes))}.")
    return namespace or _DEFAULT


def waits(spec: Spec, namespace: str) -> bool:
    """Return whether jobs of a namespace wait in a queue: those of teams do, and others have none."""
    return namespace in _homes(spec).values()


def _homes(spec: Spec) -> dict[str, str]:
    """The namespace of each team."""
    queueing = spec.addons.get(QueueingSpec)
    return {team.name: team.home for team in queueing.teams} if queueing is not None else {}
