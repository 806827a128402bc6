"""Secrets on Kubernetes: none in clear in objects that many may read."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any, Final

from penstock.resources.values import Secret, Unknown
from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, asked, each, fail, together
from penstock.resources.view import Block, Spot, View
from penstock_policies import patterns, pods
from penstock_policies.checks import Absent, All, IsNot
from penstock_policies.helm_values import CHARTS, entries
from penstock_policies.plain_secrets import judge_text, judge_variable
from penstock_policies.pods import WORKLOADS, Containers
from penstock_policies.rule import CRITICAL, HIGH, LOW, MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.SECRETS)

_SECRET = "kubernetes:core/v1:Secret"  # noqa: S105 a type

_ASKED: Final = ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle.postStart", "lifecycle.preStop")
_REQUESTS: Final = tuple(f"{path}.httpGet" for path in _ASKED)
_COMMANDS: Final = ("command", "args", *(f"{path}.exec.command" for path in _ASKED))
_NOT_KNOWN: Final = "$(NOT_KNOWN)"
"""Stands for a word of a command that is not known, as a variable does that is filled in later."""


@RULES.rule(
    "k8s-secret-not-inline",
    on=_SECRET,
    reads=("data", "stringData"),
    weight=HIGH,
    why="What is no secret to Pulumi stands in clear in its state and in every preview, for all who may read a stack.",
    fix="Take the values of data and stringData from config.require_secret, from a vault, or from a resource that "
    "makes them; better, let the cluster fetch them with an ExternalSecret or the Secrets Store driver.",
    cis=("EKS 4.4.2",),
)
def _content_is_secret(secret: View, _: Settings) -> Verdict:
    """What a Secret holds is a secret to Pulumi, too."""

    def one(spot: Spot) -> Verdict:
        if spot.value in (None, {}):
            return NOT_APPLICABLE
        return _is_hidden(spot)

    return each((spot for path in ("data", "stringData") for spot in secret.spots(path)), one)


def _is_hidden(spot: Spot) -> Verdict:
    if isinstance(spot.value, Secret):
        return PASS
    if isinstance(spot.value, Unknown):
        return UNKNOWN
    if not isinstance(spot.value, dict):
        return NOT_APPLICABLE
    return each(
        spot.value.items(),
        lambda entry: allow(
            isinstance(entry[1], Secret | Unknown) or entry[1] in (None, ""),
            f"{spot.path}.{entry[0]} is in clear",
            path=f"{spot.path}.{entry[0]}",
        ),
    )


RULES.row(
    "k8s-sa-no-token-secret",
    "No Secret holds a token of an account that never expires.",
    on=_SECRET,
    check=IsNot("type", value="kubernetes.io/service-account-token"),
    weight=MEDIUM,
    why="Such a token works until someone deletes the Secret, from anywhere, and nobody sees that it was copied.",
    fix="Let pods mount projected tokens, which expire, and give a pipeline outside an identity of its cloud or a "
    "token of `kubectl create token`.",
)
RULES.row(
    "k8s-no-secret-env",
    "A container reads its secrets from files.",
    on=WORKLOADS,
    check=Containers(All(Absent("env[].valueFrom.secretKeyRef"), Absent("envFrom[].secretRef"))),
    weight=LOW,
    why="Variables are passed on to every child process, and crash reports and debug pages print them.",
    fix="Mount the Secret as a volume, with defaultMode 0400, and let the program read the file.",
    peers="CKV_K8S_35",
    cis=("EKS 4.4.1",),
)


@RULES.rule(
    "k8s-env-no-literal-secret",
    on=WORKLOADS,
    reads=(),
    weight=CRITICAL,
    why="Whoever may look at pods, at the program or at its state reads the token, and uses it elsewhere.",
    fix="Put the value into a Secret that something else fills, and name it in valueFrom or in a volume.",
)
def _no_literal_in_containers(workload: View, _: Settings) -> Verdict:
    """No variable, command or probe of a container has a password or a token in clear."""

    def one(container: Block) -> Verdict:
        return together(
            (
                each(container.blocks("env"), _variable),
                *(_command(spot) for path in _COMMANDS for spot in container.spots(path)),
                *(asked(_variable, header) for header in _headers(container)),
            )
        )

    return each(pods.containers(workload), one)


def _variable(variable: Block) -> Verdict:
    value = variable.given("value")
    if value is None:
        return NOT_APPLICABLE
    return judge_variable(variable.text("name") or "", value, variable.at("value"))


def _headers(container: Block) -> Iterator[Block]:
    """The HTTP headers with which probes and hooks ask a container."""
    for path in _REQUESTS:
        yield from (container.within(spot) for spot in container.spots(f"{path}.httpHeaders[]"))


def _command(spot: Spot) -> Verdict:
    """Whether a command line is free of secrets: an option stands beside its value, or both are one text."""
    if spot.value is None:
        return NOT_APPLICABLE
    words = spot.value if isinstance(spot.value, list | tuple) else [spot.value]
    plain = [word.value if isinstance(word, Secret) else word for word in words]
    said = judge_text(Spot(spot.path, " ".join(word if isinstance(word, str) else _NOT_KNOWN for word in plain)))
    is_known = all(isinstance(word, str | int | float) for word in words)
    return said if said.failures or is_known else UNKNOWN


@RULES.rule(
    "k8s-configmap-no-secret",
    on="kubernetes:core/v1:ConfigMap",
    reads=("data", "binaryData"),
    weight=HIGH,
    why="ConfigMaps are not encrypted, and most roles may read them: a token in one is everybody's.",
    fix="Move the key of data to a Secret, and take it from there.",
    peers="KSV-0109 KSV-01010",
)
def _no_secret_in_map(config_map: View, _: Settings) -> Verdict:
    """No ConfigMap holds a password or a token."""
    unknown = False
    for key in ("data", "binaryData"):
        for name, value in (config_map.value(key) or {}).items():
            if isinstance(value, Unknown | Secret):
                unknown = True
            elif _leaks(name, _text(value, encoded=key == "binaryData")):
                return fail(f"{key}.{name} holds a secret", path=f"{key}.{name}")
    return UNKNOWN if unknown else PASS


def _text(value: Any, *, encoded: bool) -> str:
    try:
        return base64.b64decode(value).decode() if encoded else str(value)
    except (binascii.Error, ValueError):
        return ""


def _leaks(name: str, text: str) -> bool:
    return patterns.looks_secret(name, text) or next(patterns.found_in(text), None) is not None


@RULES.rule(
    "k8s-helm-no-literal-secret",
    on=CHARTS,
    reads=("values", "repositoryOpts.password"),
    weight=HIGH,
    why="Helm keeps the values of a release in the cluster, and Pulumi keeps them in its state: a password among them "
    "is in both.",
    fix="Name an existing Secret in values, as most charts allow (existingSecret), or make the value a Pulumi secret.",
)
def _no_literal_in_values(release: View, _: Settings) -> Verdict:
    """No value of a chart has a password or a token in clear, nor has the login to its repository."""
    options = release.block("repositoryOpts")
    if options is not None and isinstance(options.given("password"), str) and options.given("password"):
        return fail("repositoryOpts.password is in clear", path="repositoryOpts.password")
    for entry in entries(release):
        if isinstance(entry.value, str) and _leaks(entry.key, entry.value):
            return fail(f"{entry.path} has a secret in clear", path=entry.path)
    return PASS
