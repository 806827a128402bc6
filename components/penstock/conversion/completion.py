"""Makes a valid description of a draft: what a person must fill in has an example, and what is refused is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from penstock import description
from penstock.catalog import offerings
from penstock.catalog.machine_zones import may_sell
from penstock.catalog.regions import all_regions, find_region
from penstock.conversion.draft import Draft
from penstock.conversion.note import NoteCode
from penstock.core.errors import InvalidDescription, UnusableSource
from penstock.core.findings import Finding
from penstock.description import secrets
from penstock.description.platform import Spec
from penstock.description.positions import Path, written
from penstock.description.stack_file import stack_file_text
from penstock.scaffold.cloud_scaffold import scaffold_of

_MOST_ROUNDS: Final = 60
_SHORT_NAME: Final = 12
_REQUIRED: Final = ("name", "nodes", "machine_type", "kind", "capacity_tib", "throughput_mbps_per_tib")
"""Fields without which a pool or an item of storage does not exist."""

_TOGETHER: Final[Mapping[Path, Path]] = {("network", "allowed_cidrs"): ("cluster", "access")}
"""Fields that mean nothing without another one: they go with it."""

_ADVICE: Final[Mapping[str, str]] = {
    "account": "the account, project or subscription to build in",
    "deployer_cidrs": "the ranges that Pulumi runs from, or leave it out if it runs inside the network",
    "region": "the region to build in",
    "admins": "the administrators of the cluster",
    "reservation": "the id or name of the reservation",
    "zone": "the zone of the reservation",
}


def complete(draft: Draft) -> dict[str, Any]:
    """Return a valid description of a draft; its notes say what was left out and what to fill in.

    Raises:
        UnusableSource: no valid description can be made of it.
    """
    _without_secrets(draft)
    if not draft.restored:
        _fill_in(draft)
    for _ in range(_MOST_ROUNDS):
        described = draft.written()
        try:
            description.parse(described)
        except InvalidDescription as invalid:
            _left_out(draft, invalid.findings[0])
            continue
        return _ordered(described)
    raise UnusableSource("The source makes no valid description.", draft.source.file)


def text_of(described: Mapping[str, Any], title: str, file: str) -> str:
    """Return the text of the stack file."""
    comments = [f"Imported from {file} ({title}) by `penstock import`.", "Its notes say what to fill in or check."]
    return stack_file_text({"penstock:platform": dict(described)}, comments)


def _without_secrets(draft: Draft) -> None:
    """Remove values that look like secrets."""
    _, problems = secrets.removed(draft.platform)
    for _, problem in problems:
        if _exists(draft, problem.path):
            draft.source.note(NoteCode.SECRET, draft.origin(problem.path), problem.message, "It is not copied.")
            draft.remove(problem.path)


def _ordered(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return a description as people write it: fields in the order of the models, no empty lists, plain numbers."""
    ordered: dict[str, Any] = _plain(Spec.model_validate(described).model_dump(mode="json", exclude_unset=True))
    for pool in ordered.get("node_pools", ()):
        if pool["nodes"]["min"] == pool["nodes"]["max"]:
            pool["nodes"] = pool["nodes"]["max"]
    return ordered


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if item != []}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _fill_in(draft: Draft) -> None:
    """Set what every platform needs and no source has, to an example."""
    scaffold = scaffold_of(draft.cloud)
    cloud, cluster = draft.platform["cloud"], draft.platform.setdefault("cluster", {})
    for field, example in (("region", _region), ("account", lambda _: scaffold.account)):
        if not cloud.get(field):
            cloud[field] = example(draft)
            _example(draft, ("cloud", field))
    if "existing" in cluster:
        return
    for field, value in scaffold.cluster.items():
        if field not in cluster:
            cluster[field] = value
            _example(draft, ("cluster", field))


def _example(draft: Draft, path: Path) -> None:
    what = _ADVICE.get(str(path[-1]), "your own value")
    draft.fill_in(path, "The value is an example.", f"Put in {what}.")


def _region(draft: Draft) -> str:
    """Return the region of the zones; without any, one that sells the most machine types, the usual one if it does."""
    pools = draft.platform["node_pools"]
    zones = {pool["zone"] for pool in pools if "zone" in pool} | set(draft.platform["cloud"].get("zones", ()))
    types = {pool["machine_type"] for pool in pools}
    regions = all_regions(draft.cloud)
    home = next((region.name for region in regions if zones & set(region.zones)), None)
    usual = scaffold_of(draft.cloud).region
    sold = {region.name: len(types & set(offerings.offered(region.name, draft.cloud) or ())) for region in regions}
    return home or max(sold, key=lambda name: (sold[name], name == usual))


def _left_out(draft: Draft, finding: Finding) -> None:
    """Change what a finding refuses: an example where something is missing, otherwise the field goes."""
    paths = {written(path): path for path in _paths(draft.platform)}
    path = paths.get(finding.path or "")
    if path is not None and path[-1] == "name" and _shortened(draft, path, finding):
        return
    if path is None:
        path = _missing(draft, finding, paths)
        if path is None:
            return
    if len(path) > 2 and path[0] in ("node_pools", "storage") and path[2] in _REQUIRED:  # noqa: PLR2004 an item's field
        path = path[:2]
    unusable = (("cloud",), ("cloud", "provider"), ("environment",), ("name",))
    if path in unusable or (draft.restored and path == ("cloud", "region")):
        raise UnusableSource(f"The source makes no valid description: {finding.message}", draft.source.file)
    name = draft.platform[str(path[0])][path[1]]["name"] if len(path) == 2 and isinstance(path[1], int) else ""  # noqa: PLR2004
    what = f"{written(path)} ({name})" if name else written(path)
    message = f"{what} is left out: {finding.message}"
    draft.source.note(NoteCode.NOT_TRANSLATED, draft.origin(path), message, finding.hint)
    draft.remove(path)
    beside = _TOGETHER.get(path)
    if beside is not None and _exists(draft, beside):
        draft.remove(beside)


def _shortened(draft: Draft, path: Path, finding: Finding) -> bool:
    """Shorten the name of the platform, or else that of an item, if one is long: some full names have a limit."""
    for each in (("name",), path):
        if draft.shorten(each, _SHORT_NAME):
            message = f"{written(each)} is shortened: {finding.message}"
            draft.source.note(NoteCode.ASSUMED, draft.origin(each), message)
            return True
    return False


def _missing(draft: Draft, finding: Finding, paths: Mapping[str, Path]) -> Path | None:
    """Set a missing field to an example, if there is one; else return the block that misses it."""
    beside = next((path for field, path in _TOGETHER.items() if written(field) == finding.path), None)
    if beside is not None and _exists(draft, beside):
        return beside
    block, _, field = (finding.path or "").rpartition(".")
    holder = paths.get(block)
    if holder is None:
        raise UnusableSource(f"The source makes no valid description: {finding.message}", draft.source.file)
    example = _example_of(draft, holder, field)
    if example is None:
        return holder
    draft.put((*holder, field), example, draft.origin(holder))
    _example(draft, (*holder, field))
    return None


def _example_of(draft: Draft, holder: Path, field: str) -> str | None:
    """Return an example of a field that the cloud or a pool misses; None without one."""
    if draft.restored:
        return None
    if (*holder, field) == ("cloud", "region"):
        return _region(draft)
    if (*holder, field) == ("cloud", "account"):
        return scaffold_of(draft.cloud).account
    if holder[0] != "node_pools":
        return None
    pool, cloud = draft.platform["node_pools"][holder[1]], draft.platform["cloud"]
    if field == "reservation":
        example = scaffold_of(draft.cloud).reservations.get(pool.get("capacity", ""))
        return example.format(pool=pool["name"]) if example is not None else None
    if field == "zone":
        zones = cloud.get("zones") or find_region(cloud["region"], draft.cloud).zones
        return next(iter(may_sell(pool["machine_type"], tuple(zones), draft.cloud)), None)
    return None


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield from _paths(item, (*path, key))


def _exists(draft: Draft, path: Path) -> bool:
    return path in set(_paths(draft.platform))
