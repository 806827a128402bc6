"""Secrets on Kubernetes: none in clear in objects that many may read."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any, Final

from penstock.core import kubeconfig
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, asked, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.facts.custom_kinds import is_custom
from penstock.kubernetes.model.pods import containers as pods
from penstock.kubernetes.model.pods.containers import WORKLOADS
from penstock.kubernetes.model.pods.places import places_of
from penstock.kubernetes.policies import operators
from penstock.kubernetes.policies.helm_values import has_files, has_unknown, value_entries
from penstock.kubernetes.policies.pods import Containers
from penstock.policies.plain_secrets import NoSecretAmong, NoSecretIn, NoSecretInTags, judge_text, judge_variable
from penstock.rules.checks import Absent, All, ByType, IsNot
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings
from penstock.secrets import detection

RULES = RuleSet(Category.SECRETS)

_SECRET = "kubernetes:core/v1:Secret"  # noqa: S105 a type
_SECRETS = (_SECRET, f"{_SECRET}Patch")
_CONFIG_MAP = "kubernetes:core/v1:ConfigMap"

_VOLUME = "kubernetes:core/v1:PersistentVolume"
_CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"
_PROVIDER = "pulumi:providers:kubernetes"
_LOGINS: Final = ("client-key-data", "password", "token")
"""What lets a user of a kubeconfig in by itself; one that calls a login program has none of it."""
_SEALED: Final = ("kubernetes:bitnami.com/", "kubernetes:isindir.github.com/")
"""Objects whose secrets are encrypted before they are written down: SealedSecret and SopsSecret."""

_ASKED: Final = ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle.postStart", "lifecycle.preStop")
_REQUESTS: Final = tuple(f"{path}.httpGet" for path in _ASKED)
_COMMANDS: Final = ("command", "args", *(f"{path}.exec.command" for path in _ASKED))
_TEXTS: Final = ("spec.entrypoint", "spec.runtimeEnvYAML", "spec.serveConfigV2")
"""Commands and variables of Ray's jobs and services (KubeRay API v1), which are texts."""
_NOT_KNOWN: Final = "$(NOT_KNOWN)"
"""A word of a command that is not known, as a variable does that is filled in later."""


@RULES.rule(
    on=_SECRETS,
    severity=CRITICAL,
    rationale=(
        "A value that is not a Pulumi secret is in clear text in its state and in every preview, for all who may "
        "read a stack."
    ),
    fix="Take the values of data and stringData from config.require_secret, from a vault, or from a resource that "
    "makes them; better, let the cluster fetch them with an ExternalSecret or the Secrets Store driver.",
    cis=("K8s 1.12: 5.4.2", "EKS 1.8: 4.4.2"),
)
def k8s_secret_not_inline(secret: View, _: Settings) -> Verdict:
    """The data of a Secret are Pulumi secrets, too."""

    def one(place: Location) -> Verdict:
        if place.value in (None, {}):
            return NOT_APPLICABLE
        return _is_hidden(place)

    return each((place for path in ("data", "stringData") for place in secret.locations(path)), one)


def _is_hidden(place: Location) -> Verdict:
    if isinstance(place.value, Secret):
        return PASS
    if isinstance(place.value, Unknown):
        return UNKNOWN
    if not isinstance(place.value, dict):
        return NOT_APPLICABLE

    def one(entry: tuple[str, Any]) -> Verdict:
        key, value = entry
        if isinstance(value, Unknown):
            return UNKNOWN
        path = f"{place.path}.{key}"
        return allow(isinstance(value, Secret) or value in (None, ""), f"{path} is in clear", path=path)

    return each(place.value.items(), one)


RULES.row(
    "k8s-pulumi-stack-no-inline-secrets",
    "A Stack object names its secrets and does not hold them.",
    on="kubernetes:pulumi.com/v1:Stack",
    check=Absent("spec.secrets"),
    severity=HIGH,
    rationale="Values of spec.secrets are in clear for all who may read Stack objects or the repository with them.",
    fix="Use spec.secretsRef with type Secret, or encrypted configuration in the stack's own file.",
    sources=("pulumi/pulumi-kubernetes-operator v2.9.0 docs/stacks.md: secrets, secretsRef",),
)
RULES.row(
    "k8s-sa-no-token-secret",
    "No Secret holds a token of an account that never expires.",
    on=_SECRET,
    check=IsNot("type", value="kubernetes.io/service-account-token"),
    severity=MEDIUM,
    rationale="Such a token works until someone deletes the Secret, from anywhere, and nobody sees that it was copied.",
    fix="Let pods mount projected tokens, which expire, and give a pipeline outside an identity of its cloud or a "
    "token of `kubectl create token`.",
)
RULES.row(
    "k8s-no-secret-env",
    "A container reads its secrets from files.",
    on=WORKLOADS,
    check=Containers(All(Absent("env[].valueFrom.secretKeyRef"), Absent("envFrom[].secretRef"))),
    severity=LOW,
    rationale="Variables are passed on to every child process, and crash reports and debug pages print them.",
    fix="Mount the Secret as a volume, with securityContext.fsGroup of the pod and defaultMode 0440 for a program that "
    "is not root, and let it read the file.",
    peers="CKV_K8S_35 C-0207 KICS:3d658f8b",
    cis=("K8s 1.12: 5.4.1", "EKS 1.8: 4.4.1"),
)


@RULES.rule(
    on=WORKLOADS,
    severity=CRITICAL,
    rationale="Whoever may look at pods, at the program or at its state reads the token, and uses it elsewhere.",
    fix="Put the value into a Secret that something else fills, and name it in valueFrom or in a volume.",
    peers="C-0012 C-0259",
)
def k8s_env_no_literal_secret(workload: View, _: Settings) -> Verdict:
    """No variable, command, probe or annotation of a workload has a password or a token in clear."""

    def one(container: Block) -> Verdict:
        return together(
            (
                each(container.blocks("env"), _variable),
                *(_command(place) for path in _COMMANDS for place in container.locations(path)),
                *(asked(_variable, header) for header in _headers(container)),
            )
        )

    return together(
        (
            asked(lambda it: each(pods.containers(it), one), workload),
            *(judge_text(place) for path in _TEXTS for place in workload.locations(path)),
            each(_annotations(workload), judge_text),
        )
    )


def _annotations(workload: View) -> Iterator[Location]:
    """The annotations of the object and of the pods that it creates."""
    for path in dict.fromkeys(("metadata.annotations", *pods.annotation_paths(workload))):
        for place in workload.locations(path):
            if not isinstance(place.value, dict):
                yield place
            else:
                yield from (Location(f"{place.path}.{key}", value) for key, value in place.value.items())


def _variable(variable: Block) -> Verdict:
    value = variable.given("value")
    if value is None:
        return NOT_APPLICABLE
    return judge_variable(variable.text("name") or "", value, variable.at("value"))


def _headers(container: Block) -> Iterator[Block]:
    """The HTTP headers with which probes and hooks ask a container."""
    for path in _REQUESTS:
        yield from (container.within(place) for place in container.locations(f"{path}.httpHeaders[]"))


def _command(place: Location) -> Verdict:
    """Return whether a command line is free of secrets: an option is followed by its value, or both are one text."""
    if place.value is None:
        return NOT_APPLICABLE
    words = place.value if isinstance(place.value, list | tuple) else [place.value]
    plain = [word.value if isinstance(word, Secret) else word for word in words]
    said = judge_text(Location(place.path, " ".join(word if isinstance(word, str) else _NOT_KNOWN for word in plain)))
    is_known = all(isinstance(word, str | int | float) for word in words)
    return said if said.failures or is_known else UNKNOWN


@RULES.rule(
    on=(_CONFIG_MAP, f"{_CONFIG_MAP}Patch"),
    severity=CRITICAL,
    rationale="ConfigMaps are not encrypted, and most roles may read them: a token in one is everybody's.",
    fix="Move the key of data to a Secret, and take it from there.",
    peers="KSV-0109 KSV-01010 C-0012",
)
def k8s_configmap_no_secret(config_map: View, _: Settings) -> Verdict:
    """No ConfigMap holds a password or a token."""
    found = [
        (key, name, _decoded(value) if key == "binaryData" else value)
        for key in ("data", "binaryData")
        for name, value in (config_map.value(key) or {}).items()
    ]
    return each(found, lambda entry: judge_variable(entry[1], entry[2], f"{entry[0]}.{entry[1]}"))


def _decoded(value: Any) -> Any:
    try:
        return base64.b64decode(value).decode() if isinstance(value, str) else value
    except (binascii.Error, ValueError):
        return ""


def _leaks(name: str, text: str) -> bool:
    return detection.looks_secret(name, text) or next(detection.found_in(text), None) is not None


@RULES.rule(
    on=HELM_CHARTS,
    severity=CRITICAL,
    rationale=(
        "Helm keeps the values of a release in the cluster, and Pulumi keeps them in its state: a password among them "
        "is in both."
    ),
    fix=(
        "Name an existing Secret in values, as most charts allow (existingSecret), or mark the value as a Pulumi "
        "secret."
    ),
)
def k8s_helm_no_literal_secret(release: View, _: Settings) -> Verdict:
    """No value of a chart has a password or a token in clear, nor has the login to its repository."""
    options = release.block("repositoryOpts")
    password = None if options is None else options.given("password")
    if isinstance(password, str) and password:
        return fail("repositoryOpts.password is in clear", path="repositoryOpts.password")
    entries = value_entries(release)
    for entry in entries:
        if isinstance(entry.value, str) and _leaks(entry.key, entry.value):
            return fail(f"{entry.path} has a secret in clear", path=entry.path)
    unknown = has_files(release) or isinstance(password, Unknown) or has_unknown(entries)
    return UNKNOWN if unknown else PASS


RULES.row(
    "k8s-volume-no-literal-secret",
    "No volume is mounted with a password that is written in the volume itself.",
    on=(_VOLUME, _CLASS),
    check=ByType(
        {
            _VOLUME: All(NoSecretIn("spec.mountOptions[]"), NoSecretAmong("spec.csi.volumeAttributes")),
            _CLASS: All(NoSecretIn("mountOptions[]"), NoSecretAmong("parameters")),
        }
    ),
    severity=CRITICAL,
    rationale=(
        "Volumes and classes are not Secrets: most roles may look at them, and whoever has the password mounts the "
        "share from anywhere."
    ),
    fix="Put the login into a Secret, and name it in spec.csi.nodeStageSecretRef, or in the class by "
    "csi.storage.k8s.io/node-stage-secret-name.",
)


@RULES.rule(
    on="kubernetes:*",
    severity=CRITICAL,
    rationale=(
        "Only Secrets are encrypted and kept from those who may just look: a token in a monitor, a queue or a store of "
        "secrets is everybody's who reads that object."
    ),
    fix="Name a Secret in place of the value, as these objects allow (secretRef, tokenSecretRef, valueFrom).",
)
def k8s_custom_no_literal_secret(it: View, _: Settings) -> Verdict:
    """No object of an operator has a password or a token in clear."""
    if not is_custom(it.type) or it.type.startswith(_SEALED):
        return NOT_APPLICABLE
    in_pods = tuple(f"{path}{end}" for path in _of_pods(it) for end in (".", "["))
    entries = (entry for entry in operators.operator_entries(it) if not entry.path.startswith(in_pods))
    return each(entries, lambda entry: judge_variable(entry.key, entry.value, entry.path))


def _of_pods(it: View) -> list[str]:
    """The places of an object that the rule of workloads judges."""
    inside = [container.at(key) for container in pods.containers(it) for key in ("env", "command", "args")]
    return [*(place.path for place in places_of(it).whole), *inside]


@RULES.rule(
    on=_PROVIDER,
    severity=CRITICAL,
    rationale=(
        "A value that is not a Pulumi secret is in clear text in its state and in every preview: whoever reads those "
        "has the cluster."
    ),
    fix="Wrap kubeconfig in pulumi.Output.secret; better, let its user call the cloud's login program by exec, which "
    "leaves nothing to steal.",
)
def k8s_provider_login_sealed(provider: View, _: Settings) -> Verdict:
    """A kubeconfig with credentials is a secret to Pulumi."""
    given = provider.given("kubeconfig")
    if given is None:
        return NOT_APPLICABLE
    if isinstance(given, Secret):
        return PASS
    text = provider.text("kubeconfig") or ""
    users = [user for _, user in kubeconfig.entries(kubeconfig.parsed(text), "users")]
    found = [key for key in _LOGINS if any(user.get(key) for user in users)]
    if found:
        return fail(f"kubeconfig has {' and '.join(found)} of a user in clear", path="kubeconfig")
    return judge_text(Location("kubeconfig", text))


RULES.row(
    "k8s-metadata-no-secret",
    "Annotations and labels hold no secrets.",
    on="kubernetes:*",
    check=All(NoSecretInTags("metadata.annotations"), NoSecretInTags("metadata.labels")),
    severity=CRITICAL,
    rationale=(
        "Whoever may look at the object reads them, controllers repeat them in events and logs, and kubectl keeps the "
        "whole object that it last applied in an annotation."
    ),
    fix="Take it out of metadata, by `kubectl apply --server-side` where kubectl wrote it; then replace the secret.",
)
