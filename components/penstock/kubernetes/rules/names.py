"""Names, labels and annotations of objects."""

from __future__ import annotations

import re
from collections.abc import Mapping

from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    Failure,
    NotKnown,
    Outcome,
    TypeMismatch,
    Verdict,
    allow,
    asked,
    each,
    fail,
    together,
)
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.facts.label_forms import SUBDOMAIN, is_key, is_value
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, templates, texts
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.types import (
    ANY,
    CRON_JOB,
    JOB,
    JOB_SET,
)
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
"""A DNS label as RFC 1123 has it."""

_SERVICE = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
_SEGMENT = re.compile(r"(?!\.{1,2}$)[^/%]+")

_WORDS = "small letters, digits and '-', with a letter or digit first and last"
_FORMS = {
    "Namespace": (LABEL, f"Up to 63 {_WORDS}."),
    "Service": (_SERVICE, f"Up to 63 {_WORDS}; a letter first."),
    "JobSet": (_SERVICE, f"Up to 63 {_WORDS}; a letter first."),
    "Role": (_SEGMENT, "Anything without '/' and '%'."),
    "ClusterRole": (_SEGMENT, "Anything without '/' and '%'."),
    "RoleBinding": (_SEGMENT, "Anything without '/' and '%'."),
    "ClusterRoleBinding": (_SEGMENT, "Anything without '/' and '%'."),
}
_USUAL_FORM = (SUBDOMAIN, f"Up to 253 {_WORDS}, in parts that dots divide.")
_FREE = ("CertificateSigningRequest", "ClusterTrustBundle", "IPAddress")
"""Kinds whose names have other forms."""

_LONGEST = {JOB: 63, CRON_JOB: 52}
"""Characters: pods carry a job's name as a label, and a cron job adds 11 to its own (Kubernetes, CronJob)."""

_LONGEST_LABEL = 63
_GENERATED = "abcde"
"""As long as what the API server adds to a name that it generates, and the job controller to the name of a pod."""
_LONGEST_PREFIX = _LONGEST_LABEL - len(_GENERATED)
"""Characters that the API server keeps of generateName."""
_PART = re.compile(r"[-a-z0-9]+")

_MOST_ANNOTATIONS = 256 * 1024
"""Bytes of all annotations of an object."""


@RULES.rule(
    on=ANY,
    severity=HIGH,
    rationale="The API server rejects the object, or the job controller cannot label the pods with the name.",
    fix=(
        "Set metadata.name to a name of the form of the kind: small letters, digits and '-', within the length that "
        "the kind allows."
    ),
    sources=("Kubernetes documentation, object names and IDs", "kubernetes/kubernetes validation"),
)
def k8s_object_name_form(view: View) -> Verdict:
    """The name of an object, given or derived from the Pulumi resource's, has the form that its kind requires."""
    kind = inventory.kind(view)
    if kind is None or kind.name in _FREE:
        return NOT_APPLICABLE
    name = inventory.form_of_name(view)
    if name is None:
        return NOT_APPLICABLE
    form, hint = _FORMS.get(kind.name, _USUAL_FORM)
    if not form.fullmatch(name):
        return fail(f"{name!r} is not a name for a {kind.name}", hint=hint, path="metadata.name")
    longest = _LONGEST.get(view.type)
    return allow(
        longest is None or len(name) <= longest,
        f"{name!r} has {len(name)} characters, and the pods of a {kind.name} carry it in a label",
        hint=f"Use up to {longest} characters.",
        path="metadata.name",
    )


@RULES.rule(
    on=JOB_SET,
    severity=HIGH,
    rationale="The webhook of JobSet rejects the object, whatever room its own name leaves.",
    fix="Shorten metadata.name of the JobSet, or the name of the replicated job.",
    sources=("JobSet 0.12.0, pkg/webhooks/jobset_webhook.go: ValidateCreate",),
)
def k8s_jobset_names_length(job_set: View) -> Verdict:
    """The jobs and the pods of a JobSet, called after it, the replicated job and indexes, have names that fit a label.

    Job 3 of `train` in the set `llm` is `llm-train-3`; a pod of it has its own index and five characters more.
    """
    spec = job_set.block("spec")
    metadata = job_set.block("metadata")
    set_name = inventory.form_of_name(job_set)
    if set_name is None:
        prefix = metadata.text("generateName") if metadata is not None else None
        set_name = f"{(prefix or '')[:_LONGEST_PREFIX]}{_GENERATED}"
    jobs = spec.blocks("replicatedJobs") if spec is not None else []
    return each(jobs, lambda job: _called_after(set_name, job))


@RULES.rule(
    on=ANY,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Write each label key and value with up to 63 letters, digits, '-', '_' and '.'; a key may have a domain and "
        "'/' in front."
    ),
    sources=("Kubernetes documentation, labels and selectors",),
)
def k8s_labels_valid(view: View) -> Verdict:
    """Labels, also those of pod templates, have keys and values in the syntax of Kubernetes labels."""
    return together(asked(lambda block: _labels(block, "labels"), block) for block in _metadata(view))


@RULES.rule(
    on=ANY,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Correct the key in metadata.annotations, and keep large texts in a ConfigMap.",
    sources=("Kubernetes documentation, annotations", "kubernetes/kubernetes objectmeta validation"),
)
def k8s_annotations_valid(view: View) -> Verdict:
    """Annotations, also those of pod templates, have keys that Kubernetes takes and at most 256 KiB together."""
    return together(asked(_annotations, block) for block in _metadata(view))


@RULES.rule(
    on=ANY,
    severity=MEDIUM,
    rationale=(
        "The API server drops the namespace, so the object is visible in the whole cluster although the program reads "
        "as if it were not."
    ),
    fix="Leave metadata.namespace out.",
    sources=("Kubernetes documentation, namespaces",),
)
def k8s_cluster_object_no_namespace(view: View) -> Verdict:
    """An object that belongs to the whole cluster names no namespace."""
    kind = inventory.kind(view)
    if kind is None or not kind.spans_namespaces:
        return NOT_APPLICABLE
    metadata = view.block("metadata")
    namespace = metadata.text("namespace") if metadata is not None else None
    return allow(
        not namespace,
        f"a {kind.name} belongs to the whole cluster, not to the namespace {namespace}",
        path="metadata.namespace",
    )


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale="The API server or Helm rejects the second one, because the name is taken.",
    fix="Set metadata.name, or name of a Helm release, to a name that is not taken.",
    sources=("Kubernetes documentation, object names and IDs", "Helm documentation, helm install"),
)
def k8s_object_name_unique(stack: View) -> Verdict:
    """No two objects of a kind, and no two Helm releases, have the same name in the same namespace of a cluster."""
    site = stack.site
    first: dict[tuple[str, str, str, str], View] = {}
    said = []
    for view in (*inventory.objects(site), *site.of_type(RELEASE)):
        try:
            identity = _identity(view)
        except NotKnown:
            said.append(Verdict(Outcome.UNKNOWN))
            continue
        except TypeMismatch:
            continue
        taken = first.setdefault(identity, view)
        said.append(PASS if taken is view else Verdict(Outcome.FAIL, (_taken(view, taken),)))
    return together(said)


def _identity(view: View) -> tuple[str, str, str, str]:
    kind = inventory.kind(view)
    what = f"{kind.group}/{kind.name}" if kind is not None else "release"
    return inventory.server(view), what, inventory.namespace(view), inventory.name(view)


def _taken(view: View, taken: View) -> Failure:
    there = inventory.namespace(view)
    return Failure(
        f"{taken.name} has the name {inventory.name(view)}{f' in the namespace {there}' if there else ''} already",
        "Give one of them another name.",
        "name" if view.type == RELEASE else "metadata.name",
        view.urn,
    )


def _called_after(set_name: str, job: Block) -> Verdict:
    """The verdict on the longest name of a job, or of a pod, that a replicated job gets."""
    name = job.text("name") or ""
    if not _PART.fullmatch(name):
        hint = f"Use {_WORDS}."
        return fail(f"{name!r} is not a name for a replicated job", hint=hint, path=job.at("name"))
    replicas = job.integer("replicas")
    longest, what = f"{set_name}-{name}-{(1 if replicas is None else replicas) - 1}", "job"
    template = job.block("template")
    inner = template.block("spec") if template is not None else None
    completions = inner.integer("completions") if inner is not None else None
    # The webhook counts pods only where their number is given; jobs are indexed unless they say otherwise.
    if inner is not None and completions is not None and inner.text("completionMode") in (None, "Indexed"):
        longest, what = f"{longest}-{completions - 1}-{_GENERATED}", "pod"
    room = _LONGEST_LABEL - (len(longest) - len(set_name))
    shorter = f"Give the JobSet a name of up to {room} characters" if room > 0 else "Shorten this name"
    return allow(
        len(longest) <= _LONGEST_LABEL,
        f"the names of the {what}s of {name} have up to {len(longest)} characters, with "
        f"{longest.removeprefix(set_name)} after that of the JobSet; JobSet allows {_LONGEST_LABEL}",
        hint=f"{shorter}, or shorten the name of the replicated job." if room > 0 else f"{shorter}.",
        path="metadata.name" if room > 0 else job.at("name"),
    )


def _metadata(view: View) -> list[Block]:
    """The metadata of an object, and that of the pods it makes."""
    own = view.block("metadata") if inventory.kind(view) is not None else None
    inner = [pods.metadata for pods in templates(view)] if view.type in OWN_WORKLOADS and "spec" in view else []
    found = {block.at(""): block for block in (own, *inner) if block is not None}
    return list(found.values())


def _labels(metadata: Block, key: str) -> Verdict:
    labels = metadata.block(key)
    if labels is None:
        return NOT_APPLICABLE
    return each(labels, lambda name: _label(labels, name, labels.text(name)))


def _label(labels: Block, key: str, value: str | None) -> Verdict:
    if not is_key(key):
        return fail(
            f"{key!r} is not a label key",
            hint="A name of up to 63 letters, digits, '-', '_' and '.', if need be after a domain and '/'.",
            path=labels.at(key),
        )
    return allow(
        is_value(value or ""),
        f"{value!r} is not a label value",
        hint="Up to 63 letters, digits, '-', '_' and '.', with a letter or digit first and last.",
        path=labels.at(key),
    )


def _annotations(metadata: Block) -> Verdict:
    annotations = metadata.block("annotations")
    if annotations is None:
        return NOT_APPLICABLE
    for key in annotations:
        if not is_key(key.lower()):
            return fail(
                f"{key!r} is not an annotation key",
                hint="A name of up to 63 letters, digits, '-', '_' and '.', if need be after a domain and '/'.",
                path=annotations.at(key),
            )
    size = _size(texts(metadata, "annotations"))
    return allow(
        size <= _MOST_ANNOTATIONS,
        f"the annotations have {size} bytes; Kubernetes takes {_MOST_ANNOTATIONS}",
        hint="Keep large texts in a ConfigMap.",
        path=annotations.at("")[:-1],
    )


def _size(annotations: Mapping[str, str]) -> int:
    return sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items())


def named_in_a_pod(item: Block, kind: str, seen: set[str]) -> Verdict:
    """Return the verdict on an item of a pod, such as a container, has a unique name that Kubernetes takes."""
    name = item.text("name") or ""
    if not LABEL.fullmatch(name):
        hint = f"Up to 63 {_WORDS}."
        return fail(f"{name!r} is not a name for a {kind}", hint=hint, path=item.at("name"))
    if name in seen:
        return fail(f"two {kind}s have the name {name}", hint="Rename one.", path=item.at("name"))
    seen.add(name)
    return PASS
