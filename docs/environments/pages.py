"""The pages of our environments: sixteen questions of those who run platforms, answered by what commands print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from docs.environments.evidence import ROOT, Description, Evidence
from docs.environments.facts import CloudFacts
from docs.markdown import page

from penstock.catalog.records import records
from penstock.preconditions.kept_names import KeptName
from penstock.providers import built_clouds, provider_of
from penstock.simulate.environment import find_environment

Answer = Callable[[Evidence], Iterator[str]]

_SYSTEM = "system"
_OUTLIVES = "  (stays when either is destroyed)"
_NEXT_VERSION = "1.36"
_CHANGE = (
    " × ",
    "stay as they are",
    "a running job",
    "DIFF-",
    "Nothing was changed yet",
    "Nothing changes",
    "Data will be lost",
)


class Question(NamedTuple):
    """A question, and what answers it for an environment."""

    text: str
    answer: Answer


def environment_page(name: str) -> str:
    """Return the page of an environment of `stacks/` by its name."""
    evidence = Evidence(name)
    parts = [f"```yaml\n# stacks/Pulumi.{name}.yaml\n{evidence.text}```"]
    for number, question in enumerate(QUESTIONS, 1):
        parts += [f"## {number}. {question.text}", *question.answer(evidence)]
    return page(
        name,
        "Generated from what the commands print of this environment as the site is built. Three dots stand for "
        "lines that are left out.",
        *parts,
    )


def _way_in(evidence: Evidence) -> Iterator[str]:
    if "existing" in evidence.description["cluster"]:
        yield "The cluster exists: whoever runs Pulumi must reach its endpoint before the first run."
    else:
        facts = _facts(evidence)
        yield facts.way_in
        yield evidence.asked(facts.cluster, *facts.endpoint)
    yield "That every object in the cluster has such a way is the rule `k8s-endpoint-unreachable`:"
    yield evidence.rehearsed("provider-rule checks", "resources in")


def _before(evidence: Evidence) -> Iterator[str]:
    yield (
        "What the program cannot create is listed; what it creates is waited for, or a provider rule reports the use "
        "that does not wait, such as `gcp-api-on-before-use` and `aws-principal-exists`."
    )
    yield evidence.section("Before the first")


def _sold(evidence: Evidence) -> Iterator[str]:
    yield "The zones of pools and storage; one that does not sell what starts there is an error."
    yield evidence.rehearsed(r" NodePool ", r" Lustre ", r" SharedFiles ", r"provider-rule checks")


def _images(evidence: Evidence) -> Iterator[str]:
    way_out = _facts(evidence).way_out
    if way_out in evidence.types():
        yield "The way out of the nodes, by which `k8s-image-within-reach` judges every image:"
        yield evidence.asked(way_out)
    elif "existing" in evidence.description["network"]:
        yield "The network exists, and its way out with it; whoever adopts it knows what its nodes reach."
    else:
        yield "There is no way out. Images are copied here once the repositories exist, and their pods wait until then:"
        yield evidence.asked("pulumi:pulumi:Stack", "outputs.image_copies")
    if "kubernetes:helm.sh/v3:Release" in evidence.types():
        yield "Charts are fetched where Pulumi runs:"
        yield evidence.asked("kubernetes:helm.sh/v3:Release", "inputs.repositoryOpts.repo", "inputs.version")
    yield evidence.rehearsed("provider-rule checks", "resources in")


def _rights(evidence: Evidence) -> Iterator[str]:
    yield (
        "Provider rules follow each use to the right that it needs, and policies each right to its limits and each "
        "byte to its key."
    )
    yield evidence.rehearsed("provider-rule checks", "policy checks", "resources in")


def _half_way(evidence: Evidence) -> Iterator[str]:
    pool = _pool(evidence.description)
    starts = pool["nodes"] if isinstance(pool["nodes"], int) else pool["nodes"]["min"]
    yield (
        "Reservations that the program buys wait for the first object in the cluster, so that nothing scarce is "
        f"paid for while the rest can still fail. Where `{pool['name']}` "
        + ("gets no machines:" if starts else "takes too long:")
    )
    yield evidence.after_faults(
        f"{'no_capacity' if starts else 'timeout'}:*{evidence.description['environment']}-{pool['name']}*",
        "error ",
        "A second run has",
    )


def _again(evidence: Evidence) -> Iterator[str]:
    yield (
        "After a failure it creates what is missing, as above. After a `destroy` it needs the names that a cloud "
        "keeps for things that were deleted: where a program writes none, as here, each run generates others. (A "
        "name that is written would be a precondition.)"
    )
    for kept in records(KeptName, f"{evidence.cloud}/kept_names"):
        if kept.type in evidence.types():
            yield evidence.asked(kept.type, f"inputs.{kept.property}", "outputs.name")


def _beside(evidence: Evidence) -> Iterator[str]:
    other = evidence.description
    other["environment"] = "staging" if other["environment"] != "staging" else "prod"
    theirs = {_asked_for(each) for each in evidence.beside(other)}
    shared = [each for each in evidence.resources if _is_of(each, evidence.cloud) and _asked_for(each) in theirs]
    lines = sorted({f"{each['type']}{_OUTLIVES if _outlives(each) else ''}" for each in shared})
    yield (
        f"With `environment: {other['environment']}` beside it in the same account, these are asked for twice with "
        "the same properties; all else has a name of its own:"
    )
    yield "\n".join(["```text", *(lines or ["(none)"]), "```"])


def _pods(evidence: Evidence) -> Iterator[str]:
    facts = _facts(evidence)
    yield "[First jobs](../../guides/first-jobs.md) has the pods. What they select and tolerate:"
    yield evidence.asked(facts.pool, *facts.scheduling)
    yield "Who gives them devices and starts machines for them, beside what the cluster itself does:"
    yield evidence.rehearsed("ClusterAutoscaler", "DevicePlugin", "GpuOperator", "AmdGpu", "provider-rule checks")


def _volumes(evidence: Evidence) -> Iterator[str]:
    yield "Classes, volumes and claims that are ready, and the identities that may use the buckets:"
    kinds = (
        ("kubernetes:storage.k8s.io/v1:StorageClass", ("inputs.metadata.name", "inputs.parameters")),
        ("kubernetes:core/v1:PersistentVolumeClaim", ("inputs.metadata.namespace", "inputs.metadata.name")),
        *_facts(evidence).rights,
    )
    for type_, paths in kinds:
        if type_ in evidence.types():
            yield evidence.asked(type_, *paths)


def _changes(evidence: Evidence) -> Iterator[str]:
    for said, change in _edits(evidence):
        described = deepcopy(evidence.description)
        change(described)
        yield said
        yield evidence.changed(described, *_CHANGE)


def _upgrades(evidence: Evidence) -> Iterator[str]:
    facts = _facts(evidence)
    yield facts.people
    for type_, paths in facts.versions:
        if type_ in evidence.types():
            yield evidence.asked(type_, *paths)
    yield evidence.asked(facts.pool, *facts.updates)


def _by_penstock(evidence: Evidence) -> Iterator[str]:
    yield (
        "Not its versions of Kubernetes: one that the description does not name is chosen at creation, and ignored "
        "later. Charts and images are pinned in Penstock and move with it: `penstock diff --state` shows that "
        "before."
    )
    facts = _facts(evidence)
    for type_ in (facts.cluster, facts.pool):
        if type_ in evidence.types():
            yield evidence.asked(type_, "options.ignoreChanges")


def _growth(evidence: Evidence) -> Iterator[str]:
    for type_, paths in _facts(evidence).kept:
        if type_ in evidence.types():
            yield evidence.asked(type_, *paths)
    yield evidence.rehearsed("a month")


def _numbers(evidence: Evidence) -> Iterator[str]:
    yield (
        "The number of machines between the bounds of a pool. Where there are bounds, the next `up` leaves it "
        "alone, and a change of them starts from the live number."
    )
    facts = _facts(evidence)
    yield evidence.asked(facts.pool, *facts.counts, "options.ignoreChanges")


def _deletion(evidence: Evidence) -> Iterator[str]:
    protected = [each for each in evidence.resources if each.get("options", {}).get("protect")]
    yield (
        "The engine deletes in the opposite order: what is in the cluster, pools, the cluster, the network, keys. "
        "It needs the way in of question 1 to the end. These are protected, and `pulumi destroy` refuses until "
        "somebody unprotects them:"
    )
    lines = [f'["{each["type"]}","{each["name"]}"]' for each in protected] or ["(none)"]
    command = evidence.jq(".options.protect", "[.type, .name]")
    yield "\n".join(["```console", f"$ {command}", *lines, "```"])
    yield _facts(evidence).left


QUESTIONS = (
    Question("From where does Pulumi run, and what does it reach?", _way_in),
    Question("What must exist before?", _before),
    Question("Is everything sold in its zones?", _sold),
    Question("Can every node pull every image?", _images),
    Question("May each identity do what it is asked to do?", _rights),
    Question("If it fails half-way, what stands?", _half_way),
    Question("Does a second `up` work?", _again),
    Question("Do two environments collide?", _beside),
    Question("Which pods does the user write?", _pods),
    Question("Which volumes do they use?", _volumes),
    Question("What does a change do to machines and jobs?", _changes),
    Question("Who upgrades what, and when?", _upgrades),
    Question("Does an update of Penstock change a platform?", _by_penstock),
    Question("What grows without bound?", _growth),
    Question("Which numbers belong to others?", _numbers),
    Question("How is it deleted, and what is left?", _deletion),
)


def _facts(evidence: Evidence) -> CloudFacts:
    facts: CloudFacts = import_module(f"docs.environments.{evidence.cloud}").FACTS
    return facts


def _pool(description: Description) -> dict[str, Any]:
    return next(pool for pool in description["node_pools"] if pool["name"] != _SYSTEM)


def _edits(evidence: Evidence) -> Iterator[tuple[str, Callable[[Description], None]]]:
    """Changes of one field: what a reader does, and the same as code."""
    name = _pool(evidence.description)["name"]

    def owner(described: Description) -> None:
        described["owner"] = "research-and-training"

    def version(described: Description) -> None:
        described["cluster"]["version"] = _NEXT_VERSION

    def nodes(described: Description, factor: float) -> None:
        pool = _pool(described)
        count = pool["nodes"]
        most = count if isinstance(count, int) else count["max"]
        changed = max(1, round(most * factor))
        pool["nodes"] = changed if isinstance(count, int) else {**count, "max": changed}
        described["budget"].pop("max_accelerators", None)
        if "slices" in pool:
            pool["slices"] = round(pool["slices"] * factor)
        for team in described.get("addons", {}).get("queueing", {}).get("teams", []):
            shares = team["accelerators"]
            team["accelerators"] = {model: round(share * factor) for model, share in shares.items()}

    def disk(described: Description) -> None:
        _pool(described)["disk"] = {"size_gib": 600}

    yield "`owner: research-and-training`:", owner
    if "existing" not in evidence.description["cluster"]:
        yield f'`cluster.version: "{_NEXT_VERSION}"`:', version
    both = (
        "`nodes` of" if "queueing" not in evidence.description.get("addons", {}) else "`nodes` and shares of teams in"
    )
    yield f"Twice the {both} `{name}`, and no `budget.max_accelerators`:", partial(nodes, factor=2)
    yield f"Half of the {both} `{name}`, and no `budget.max_accelerators`:", partial(nodes, factor=0.5)
    yield f"`disk: {{size_gib: 600}}` for `{name}`:", disk


def _is_of(resource: Mapping[str, Any], cloud: str) -> bool:
    provider = provider_of(resource["type"])
    return provider is not None and provider.name == cloud


def _asked_for(resource: Mapping[str, Any]) -> tuple[str, str, str]:
    """What two programs would share: the same type with the same properties, and no name that was generated."""
    return resource["type"], repr(resource["inputs"]), repr(resource["outputs"].get("name"))


def _outlives(resource: Mapping[str, Any]) -> bool:
    """Return whether the thing is left as it is when its resource is deleted."""
    return bool(resource["options"].get("retainOnDelete")) or resource["inputs"].get("disableOnDestroy") is False


def _is_of_a_cloud(name: str) -> bool:
    """Return whether the questions fit: most of them are about what a cloud creates, sells and bills."""
    return find_environment(str(ROOT / "stacks" / f"Pulumi.{name}.yaml")).cloud in built_clouds()


PAGES: Mapping[str, Callable[[], str]] = {
    f"environments/{name}.md": partial(environment_page, name)
    for name in sorted(file.stem.removeprefix("Pulumi.") for file in (ROOT / "stacks").glob("Pulumi.*.yaml"))
    if _is_of_a_cloud(name)
}
