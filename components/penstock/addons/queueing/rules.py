"""Rules on queues: whom they are for, and what is shared out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from penstock.addons.queueing.block import QueueingSpec
from penstock.addons.secrets.block import SecretStoreSpec
from penstock.core.errors import UnknownFact
from penstock.core.wording import one_of, quoted
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule
from penstock.description.storage import BucketSpec, LustreSpec
from penstock.kubernetes.facts import charts

_PATH = ("addons", "queueing", "teams")
_SYSTEMS = ("default", "kube-system", "kube-public", "kube-node-lease")

_JOBS_WITHOUT_TEAM = "default"

_SYSTEM, _ACCOUNT = "system:", "system:serviceaccount:"
"""The start of what Kubernetes names itself, and of the names of service accounts, which may be members."""


@rule("SPEC-160", reads=("addons",))
def teams_have_their_own_namespaces(spec: Spec) -> Iterator[Problem]:
    """Each team has a name of its own, and a namespace that nothing else lives in."""
    queueing = spec.addons.get(QueueingSpec)
    if queueing is None:
        return
    names: dict[str, str] = {}
    homes: dict[str, str] = {}
    systems = {*_SYSTEMS, *(chart.namespace for chart in charts.all_charts())}
    for index, team in enumerate(queueing.teams):
        field = "namespace" if team.namespace else "name"
        if team.name in names:
            yield Problem((*_PATH, index, "name"), f"Two teams are named {team.name}.", "Rename one of them.")
        elif team.home in homes:
            message = f"Team {homes[team.home]} already has the namespace {team.home}."
            yield Problem((*_PATH, index, field), message, "Give each team a namespace of its own.")
        elif team.home in systems or team.home.startswith("kube-"):
            message = f"The namespace {team.home} is not a team's: pods of the cluster itself live there."
            yield Problem((*_PATH, index, field), message, f"Use another, such as team-{team.name}.")
        names[team.name] = homes[team.home] = team.name


@rule("SPEC-196", reads=("addons",))
def members_are_of_the_team(spec: Spec) -> Iterator[Problem]:
    """Nobody is a member by what Kubernetes gives to everybody, or to its own parts and administrators."""
    queueing = spec.addons.get(QueueingSpec)
    if queueing is None:
        return
    for index, team in enumerate(queueing.teams):
        for field, members in (("groups", team.groups), ("users", team.users)):
            for position, member in enumerate(members):
                if member == "*" or (member.startswith(_SYSTEM) and not member.startswith(_ACCOUNT)):
                    message = f"{quoted(member)} is not a team's: Kubernetes gives it to everybody, or to itself."
                    hint = "Name a group that your identity provider gives to the members."
                    yield Problem((*_PATH, index, field, position), message, hint)


@rule("SPEC-169", reads=("addons", "storage"))
def buckets_are_shared_with_namespaces_of_teams(spec: Spec) -> Iterator[Problem]:
    """A bucket that is for a team names the team's namespace: pods of another never mount it."""
    queueing = spec.addons.get(QueueingSpec)
    if queueing is None:
        return
    homes = {team.name: team.home for team in queueing.teams}
    for path, user in _data_users(spec):
        namespace, _, called = user.partition("/")
        home = homes.get(namespace, namespace)
        if called and namespace not in homes.values() and home != namespace:
            message = f"Jobs of team {namespace} are in namespace {home}, and {user} lets none of them in."
            yield Problem(path, message, f"Name {home}/{called}, or the team: {namespace}.")


@rule("SPEC-201", reads=("addons", "storage"))
def data_is_shared_with_teams_that_exist(spec: Spec) -> Iterator[Problem]:
    """A reader or writer without a namespace is a team of the description."""
    queueing = spec.addons.get(QueueingSpec)
    teams = tuple(team.name for team in queueing.teams) if queueing is not None else ()
    for path, user in _data_users(spec):
        if "/" not in user and user not in teams:
            hint = one_of(user, teams, "Teams") if teams else "Write NAMESPACE/NAME, or describe teams in queueing."
            yield Problem(path, f"There is no team {quoted(user)}.", hint)


@rule("SPEC-202", reads=("addons", "storage"), warns=True)
def buckets_are_shared_with_some_team(spec: Spec) -> Iterator[Problem]:
    """If teams run the jobs, some team reads each bucket. A warning.

    Lustre imports its source for all teams. An account of another namespace is one of something that is no job.
    """
    queueing = spec.addons.get(QueueingSpec)
    if queueing is None:
        return
    teams = queueing.teams
    sources = {item.source for item in spec.storage if isinstance(item, LustreSpec)}
    for index, item in enumerate(spec.storage):
        if not isinstance(item, BucketSpec) or item.name in sources:
            continue
        places = {user.partition("/")[0] for user in (*item.readers, *item.writers)}
        if places <= {_JOBS_WITHOUT_TEAM}:
            message = f"No team can read bucket {item.name}, and jobs run in the namespaces of teams."
            yield Problem(("storage", index), message, f"Add readers, such as [{teams[0].name}].")


def _data_users(spec: Spec) -> Iterator[tuple[Path, str]]:
    """Whoever reads or writes buckets and secrets, each with its place."""
    for index, item in enumerate(spec.storage):
        if isinstance(item, BucketSpec):
            for field, users in (("readers", item.readers), ("writers", item.writers)):
                yield from ((("storage", index, field, position), user) for position, user in enumerate(users))
    store = spec.addons.get(SecretStoreSpec)
    for position, user in enumerate(store.readers if store is not None else ()):
        yield ("addons", "secrets", "readers", position), user


@rule("SPEC-161", reads=("addons", "cloud", "node_pools", "network", "cluster"))
def teams_share_what_there_is(spec: Spec) -> Iterator[Problem]:
    """What teams are guaranteed is there when every pool has all of its nodes."""
    queueing = spec.addons.get(QueueingSpec)
    if queueing is None:
        return
    try:
        pools = nodes_of(spec)
    except UnknownFact:
        return  # that is the finding of another rule
    held = spec.addons.held_pools({pool.pool: pool.resource for pool in pools})
    most = _most(pool for pool in pools if pool.pool not in held)
    if not most:
        if any(pool.devices for pool in pools if pool.pool in held):
            return  # so is that another add-on has them all
        hint = "Describe a pool with accelerators or devices, or leave queueing out."
        yield Problem(("addons", "queueing"), "No pool has anything to queue for.", hint)
        return
    given: dict[str, int] = {}
    for index, team in enumerate(queueing.teams):
        for kind, count in team.accelerators.items():
            path = (*_PATH, index, "accelerators", kind)
            if kind not in most:
                hint = one_of(kind, tuple(most), "In the pools")
                yield Problem(path, f"No pool has {quoted(kind)}.", hint)
                continue
            before, given[kind] = given.get(kind, 0), given.get(kind, 0) + count
            if given[kind] > most[kind]:
                message = f"The teams are guaranteed {given[kind]} {kind}, and the pools have {most[kind]} at most."
                yield Problem(path, message, f"Up to {max(0, most[kind] - before)} are left for team {team.name}.")


def _most(pools: Iterable[PoolNodes]) -> dict[str, int]:
    """The number of each accelerator when every pool has all of its nodes; of other devices, by pool."""
    most: dict[str, int] = {}
    for pool in pools:
        if pool.devices:
            kind = pool.accelerator or pool.pool
            count = pool.accelerators or next(iter(pool.devices.values()))
            most[kind] = most.get(kind, 0) + count * pool.nodes.max
    return most
