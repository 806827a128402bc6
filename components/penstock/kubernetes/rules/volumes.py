"""Volumes: what containers mount, and what claims and classes of storage say."""

from __future__ import annotations

from penstock.core.quantities import parse_quantity
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.containers import word
from penstock.kubernetes.rules.misspelt import nearly_there
from penstock.kubernetes.rules.names import named_in_a_pod
from penstock.kubernetes.rules.types import (
    CLAIM,
    CLAIM_TEMPLATES,
    CONFIG_MAP,
    DEVICE_CLAIMS,
    PRIORITY_CLASS,
    RUNTIME_CLASS,
    SECRET,
    SERVICE_ACCOUNT,
    STATEFUL_SET,
    STORAGE_CLASS,
    VOLUME,
)
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ACCESS = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
_CLASS_WORDS = {
    "reclaimPolicy": ("Delete", "Retain"),
    "volumeBindingMode": ("Immediate", "WaitForFirstConsumer"),
}
_CLASSES = ((PRIORITY_CLASS, "priorityClassName"), (RUNTIME_CLASS, "runtimeClassName"))
_SYSTEM_CLASSES = ("system-cluster-critical", "system-node-critical")
"""Priority classes that every cluster has; no other may begin with system-."""


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set name to a volume of the pod, and mountPath to a path of its own.",
    sources=("kubernetes/kubernetes validation: ValidateVolumeMounts",),
)
def k8s_volume_mounts_exist(pods: PodTemplate) -> Verdict:
    """Each volume mount names a volume of its pod and has a mountPath that no other mount of the container has."""
    volumes = {volume.text("name") for volume in pods.spec.blocks("volumes")}
    spec = pods.workload.block("spec")
    if pods.workload.type == STATEFUL_SET and spec is not None:
        metadata = [claim.block("metadata") for claim in spec.blocks("volumeClaimTemplates")]
        volumes |= {each_.text("name") for each_ in metadata if each_ is not None}
    return each(pods.containers, lambda container: _mounts_of(container, volumes))


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Give each volume a name of its own, and keep a single source.",
    sources=("kubernetes/kubernetes validation: ValidateVolumes",),
)
def k8s_volume_names_unique(pods: PodTemplate) -> Verdict:
    """Each volume of a pod has a unique name that is a DNS label, and at most one source."""
    seen: set[str] = set()
    return each(pods.spec.blocks("volumes"), lambda volume: _volume(volume, seen))


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="The pod is created, and its container does not start: CreateContainerConfigError.",
    fix="Set key to a key of the ConfigMap or Secret, or set optional to true.",
    joins=True,
    sources=("Kubernetes documentation, ConfigMaps as variables", "Kubernetes documentation, Secrets as variables"),
)
def k8s_env_key_exists(pods: PodTemplate) -> Verdict:
    """An environment variable from a ConfigMap or Secret of the program names an existing key."""
    return each((one for each_ in pods.containers for one in each_.blocks("env")), lambda env: _key(pods, env))


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale=(
        "The workload is accepted, and its pods are not created or do not start, because the object is in another "
        "namespace or has another name."
    ),
    fix=(
        "Create the object, in the namespace of the pods unless it is a class, or correct its name in the pod template."
    ),
    joins=True,
    sources=("Kubernetes documentation, namespaces", "Kubernetes documentation, Pod Priority and Preemption"),
)
def k8s_pod_references_exist(pods: PodTemplate) -> Verdict:
    """ConfigMaps, Secrets, claims and service accounts of pods exist in their namespace, and their classes at all."""
    return together((_references(pods), _classes(pods.spec)))


@RULES.rule(
    on=(CLAIM, STATEFUL_SET),
    severity=HIGH,
    rationale="The API server rejects the claim, so the pods that use it never start.",
    fix="Set accessModes, such as [ReadWriteOnce], and resources.requests.storage, such as 100Gi.",
    sources=("Kubernetes API reference, PersistentVolumeClaimSpec",),
)
def k8s_claim_spec_complete(view: View) -> Verdict:
    """A claim has access modes of the Kubernetes API and a storage request above zero."""
    spec = view.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    if view.type == CLAIM:
        return _claim(spec)
    claims = [claim.block("spec") for claim in spec.blocks("volumeClaimTemplates")]
    return each((claim for claim in claims if claim is not None), _claim)


@RULES.rule(
    on=(CLAIM, STATEFUL_SET),
    severity=MEDIUM,
    rationale="The claim is accepted and never bound, so that the pods that mount it never start.",
    fix="Set storageClassName to a class of the cluster.",
    joins=True,
    sources=("Kubernetes documentation, Storage Classes",),
)
def k8s_claim_class_exists(view: View) -> Verdict:
    """The storage class of a claim is not a misspelt name of one that the program creates; others may exist before."""
    spec = view.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    claims = [spec] if view.type == CLAIM else spec.blocks_at("volumeClaimTemplates[].spec")
    return each([claim for claim in claims if claim.text("storageClassName")], lambda claim: _has_class(view, claim))


@RULES.rule(
    on=STORAGE_CLASS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set provisioner, such as ebs.csi.aws.com, and correct reclaimPolicy and volumeBindingMode.",
    sources=("Kubernetes API reference, StorageClass",),
)
def k8s_storage_class_valid(view: View) -> Verdict:
    """A storage class names its provisioner; reclaimPolicy and volumeBindingMode are values of the API."""
    if not view.text("provisioner"):
        return fail("provisioner is not set", hint="Such as ebs.csi.aws.com.", path="provisioner")
    said = together(word(view, key, words) for key, words in _CLASS_WORDS.items())
    return PASS if said is NOT_APPLICABLE else said


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale=(
        "Each start of a pod changes the owner of every file on the shared volume, so pods start slowly or time out."
    ),
    fix="Set securityContext.fsGroupChangePolicy to OnRootMismatch.",
    joins=True,
    sources=("aws-fsx-csi-driver troubleshooting guide", "Kubernetes documentation, security context"),
)
def k8s_fsgroup_change_policy(pods: PodTemplate) -> Verdict:
    """Pods with an fsGroup and a ReadWriteMany volume set fsGroupChangePolicy to OnRootMismatch."""
    security = pods.spec.block("securityContext")
    if security is None or "fsGroup" not in security:
        return NOT_APPLICABLE
    claims = [volume.block("persistentVolumeClaim") for volume in pods.spec.blocks("volumes")]
    policy = security.text("fsGroupChangePolicy")
    return each(filter(None, claims), lambda claim: _changes_owners_once(pods, claim, policy, security))


def _mounts_of(container: Block, volumes: set[str | None]) -> Verdict:
    seen: set[str] = set()
    return each(container.blocks("volumeMounts"), lambda mount: _mount(mount, volumes, seen))


def _mount(mount: Block, volumes: set[str | None], seen: set[str]) -> Verdict:
    name, path = mount.text("name"), mount.text("mountPath")
    if name not in volumes:
        known = ", ".join(sorted(filter(None, volumes))) or "none"
        return fail(f"the pod has no volume {name!r}", hint=f"Its volumes: {known}.", path=mount.at("name"))
    if not path:
        return fail("mountPath is not set", hint="Give mountPath.", path=mount.at("mountPath"))
    if path in seen:
        return fail(f"two volumes are mounted at {path}", hint="Move one of them.", path=mount.at("mountPath"))
    seen.add(path)
    return PASS


def _volume(volume: Block, seen: set[str]) -> Verdict:
    named = named_in_a_pod(volume, "volume", seen)
    if named.failures:
        return named
    sources = [key for key in volume if key != "name" and key in volume]
    return allow(
        len(sources) <= 1,
        f"the volume {volume.text('name')} has {len(sources)} sources: {', '.join(sources)}",
        hint="Keep one of them.",
        path=volume.at(sources[-1] if sources else "name"),
    )


def _key(pods: PodTemplate, variable: Block) -> Verdict:
    source = variable.block("valueFrom")
    for kind, types, holders in (
        ("configMapKeyRef", CONFIG_MAP, ("data",)),
        ("secretKeyRef", SECRET, ("data", "stringData")),
    ):
        reference = source.block(kind) if source is not None else None
        if reference is None or reference.flag("optional"):
            continue
        name, key = reference.text("name"), reference.text("key")
        holder = inventory.find(pods.workload, types, inventory.namespace(pods.workload), name or "")
        if holder is None:
            return UNKNOWN
        blocks = [holder.block(each_) for each_ in (*holders, "binaryData")]
        keys = {one for block in blocks if block is not None for one in block}
        return allow(
            key in keys,
            f"{name} has no key {key!r}",
            hint=f"Its keys: {', '.join(sorted(keys)) or 'none'}.",
            path=reference.at("key"),
        )
    return NOT_APPLICABLE


def referred(pods: PodTemplate) -> list[tuple[str, Block, str]]:
    """The types and places of what pods refer to in their namespace."""
    found = [(SERVICE_ACCOUNT, pods.spec, "serviceAccountName")]
    for claim in pods.spec.blocks("resourceClaims"):
        found += [
            (CLAIM_TEMPLATES[0], claim, "resourceClaimTemplateName"),
            (DEVICE_CLAIMS[0], claim, "resourceClaimName"),
        ]
    for volume in pods.spec.blocks("volumes"):
        for source, type_, key in (
            ("configMap", CONFIG_MAP, "name"),
            ("secret", SECRET, "secretName"),
            ("persistentVolumeClaim", CLAIM, "claimName"),
        ):
            block = volume.block(source)
            found += [(type_, block, key)] if block is not None else []
    for container in pods.containers:
        for source_ in container.blocks("envFrom"):
            for key_, type_ in (("configMapRef", CONFIG_MAP), ("secretRef", SECRET)):
                block = source_.block(key_)
                found += [(type_, block, "name")] if block is not None else []
    return [(type_, block, key) for type_, block, key in found if key in block]


def _references(pods: PodTemplate) -> Verdict:
    return each(referred(pods), lambda one: _is_there(pods, *one))


def _classes(spec: Block) -> Verdict:
    given = [(type_, key) for type_, key in _CLASSES if key in spec]
    return each(given, lambda one: _class_is_there(spec, *one))


def _class_is_there(spec: Block, type_: str, key: str) -> Verdict:
    """The verdict on a class that pods name; an add-on may have brought one that the program does not create."""
    name = spec.text(key) or ""
    if not name or name in _SYSTEM_CLASSES or inventory.find(spec.owner, type_, "", name):
        return PASS
    if type_ == PRIORITY_CLASS and name.startswith("system-"):
        return fail(
            f"{name!r} is not a priority class of Kubernetes, which keeps names with system- for its own",
            hint=f"One of {', '.join(_SYSTEM_CLASSES)}.",
            path=spec.at(key),
        )
    return nearly_there(spec.owner, type_, spec, key)


def _is_there(pods: PodTemplate, type_: str, block: Block, key: str) -> Verdict:
    if block.flag("optional") is True:
        return PASS
    name = block.text(key) or ""
    here = inventory.namespace(pods.workload)
    places = inventory.lies_in(pods.workload, type_, name)
    if here in places:
        return PASS
    if not places:
        return nearly_there(pods.workload, type_, block, key)
    return fail(
        f"{name} is in the namespace {places[0]}, and these pods are in {here}",
        hint=f"Make it in {here}.",
        path=block.at(key),
    )


def _has_class(view: View, claim: Block) -> Verdict:
    specs = [volume.block("spec") for volume in view.site.of_type(VOLUME)]
    by_hand = {spec.text("storageClassName") for spec in specs if spec is not None}
    name = claim.text("storageClassName")
    if name in by_hand or name in inventory.names(view, STORAGE_CLASS):
        return PASS
    return nearly_there(view, STORAGE_CLASS, claim, "storageClassName")


def _changes_owners_once(pods: PodTemplate, claim: Block, policy: str | None, security: Block) -> Verdict:
    if policy == "OnRootMismatch":
        return PASS
    here = inventory.namespace(pods.workload)
    made = inventory.find(pods.workload, CLAIM, here, claim.text("claimName") or "")
    if made is None:
        raise NotKnown
    spec = made.block("spec")
    return allow(
        spec is None or "ReadWriteMany" not in spec.texts("accessModes"),
        "every start of these pods changes the owner of each file on a volume that many mount",
        hint="Set fsGroupChangePolicy: OnRootMismatch.",
        path=security.at("fsGroupChangePolicy"),
    )


def _claim(spec: Block) -> Verdict:
    modes = spec.texts("accessModes")
    if not modes:
        return fail("accessModes is empty", hint="Such as [ReadWriteOnce].", path=spec.at("accessModes"))
    for index, mode in enumerate(modes):
        if mode not in _ACCESS:
            return fail(
                f"{mode!r} is not an access mode",
                hint=f"One of {', '.join(_ACCESS)}.",
                path=spec.at(f"accessModes[{index}]"),
            )
    resources = spec.block("resources")
    requests = resources.block("requests") if resources is not None else None
    size = parse_quantity(str(requests.value("storage"))) if requests is not None and "storage" in requests else None
    return allow(
        size is not None and size > 0,
        f"the claim asks for {'no storage' if requests is None else requests.value('storage')}",
        hint="Set resources.requests.storage, such as 100Gi.",
        path=spec.at("resources.requests.storage"),
    )
