"""Secrets that no cloud has a say in: random values, and the outputs of a stack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from penstock.graph.graph import STACK_TYPE
from penstock.graph.values import PartlyHidden, Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, each, fail, together
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.rules.checks import AtLeast
from penstock.rules.levels import CRITICAL, HIGH, LOW, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings
from penstock.secrets import detection, forms

RULES = RuleSet(Category.SECRETS)

_IN_KUBECONFIG: Final = re.compile(
    r"""["']?(?:client-key-data|token|password|access-token|id-token|refresh-token)["']?\s*:\s*["']?[^\s"'{}\[\],]"""
)
"""What lets someone in by itself; a kubeconfig that calls its user's own login program has none of it."""
_KUBECONFIG: Final = re.compile(r".*kube[_-]?config.*", re.IGNORECASE | re.DOTALL)
_KEY: Final = "client-key-data"
_LEAST: Final = 24


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=CRITICAL,
    rationale=(
        "Outputs are in clear text in the state, in logs of pipelines, and in every stack that refers to this one."
    ),
    fix="Wrap the value in pulumi.Output.secret, or export the name of the secret in place of it; a kubeconfig whose "
    "user is an exec plugin holds no credentials.",
)
def pulumi_no_plaintext_outputs(it: View, _: Settings) -> Verdict:
    """The outputs of a stack show no secret in clear."""
    return _offers_none(it.site.graph.exports)


@RULES.rule(
    on="*",
    severity=CRITICAL,
    rationale=(
        "Pulumi knows nothing of a component's properties: what the program does not mark as secret is in clear text "
        "in the state, in previews and in logs, though the cloud's resource below it keeps the same value sealed."
    ),
    fix="Wrap the value in pulumi.Output.secret before the component gets it, or leave it out of what the component "
    "registers; then replace the secret, for who has read the state knows it.",
)
def pulumi_component_no_plaintext(it: View, _: Settings) -> Verdict:
    """Inputs and outputs of a component show no secret in clear text."""
    resource = it.resource
    if resource.custom or it.type in (STACK_TYPE, *HELM_CHARTS):
        return NOT_APPLICABLE  # they have rules of their own
    given = each(
        _leaves(resource.inputs, "", ""),
        lambda leaf: UNKNOWN if isinstance(leaf[1], Unknown) else _is_sealed(*leaf, "input"),
    )
    own = {key: value for key, value in resource.outputs.items() if value != resource.inputs.get(key)}
    return together((given, _offers_none(own)))  # what a component passes on is leaf once


def _offers_none(outputs: Mapping[str, Any]) -> Verdict:
    """Of outputs most are not known before an `up`: those with the name of a secret are undetermined then."""
    return each(_leaves(outputs, "", ""), lambda leaf: _is_sealed(*leaf, "output"))


def _leaves(value: Any, name: str, path: str) -> Iterator[tuple[str, Any, str]]:
    """Every value with its name; one in a list, or in an object such as `passwords`, has the name of that."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            own = str(key)
            inherited = name if _names_secrets(name) and not _names_secrets(own) else own
            step = detection.shown(own)
            yield from _leaves(item, inherited, f"{path}.{step}" if path else step)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _leaves(item, name, f"{path}[{index}]")
    elif value is not None:
        yield name, value, path


def _names_secrets(name: str) -> bool:
    return forms.names_a_secret(name.removesuffix("s")) or forms.names_a_secret(name) or name == _KEY


def _is_sealed(name: str, value: Any, path: str, what: str) -> Verdict:
    if isinstance(value, Secret):
        return PASS
    holds_cluster = _KUBECONFIG.fullmatch(name) is not None
    if isinstance(value, Unknown):
        return UNKNOWN if holds_cluster or _names_secrets(name) else PASS
    if not isinstance(value, str):
        return PASS
    if holds_cluster:
        if isinstance(value, PartlyHidden):
            return UNKNOWN
        return allow(not _IN_KUBECONFIG.search(value), f"the {what} {path} has credentials in clear", path=path)
    if detection.looks_secret(name, value) or name == _KEY:
        kind = detection.kind_of_secret_in(value)
        why = f"has {kind} in clear" if kind else "is in clear, and its name says that it is secret"
        return fail(f"the {what} {path} {why}", path=path)
    return PASS


RULES.row(
    "pulumi-randompassword-length",
    "A random password has 24 characters at least.",
    on="random:index/randomPassword:RandomPassword",
    check=AtLeast("length", _LEAST),
    severity=LOW,
    rationale="Short ones are found from a stolen hash; nobody has to type these.",
    fix="Set length to 24 or more; the password is then a new one.",
)


@RULES.rule(
    on="random:index/randomString:RandomString",
    joins=True,
    severity=HIGH,
    rationale=(
        "Unlike RandomPassword it is not marked as secret: who reads the state, a log or a preview has the password."
    ),
    fix="Use RandomPassword in place of RandomString, with the same arguments.",
)
def pulumi_randomstring_no_secret(it: View, _: Settings) -> Verdict:
    """A random string is not used as a password."""
    users, unclear = it.site.once(_passwords)
    made = [fail(f"{user} uses it") for user in users.get(it.urn, ())]
    return together(made or [UNKNOWN if unclear else PASS])


def _passwords(site: Site) -> tuple[dict[str, list[str]], bool]:
    """The properties that their names call secret, by each resource that they come from.

    Also return whether the source of one is unknown.
    """
    found: dict[str, list[str]] = {}
    unclear = False
    for resource in site.graph:
        for key, value in resource.inputs.items():
            if forms.names_a_secret(key):
                sources = resource.property_dependencies.get(key, ())
                unclear |= isinstance(value, Unknown) and not sources
                for source in sources:
                    found.setdefault(source, []).append(f"{key} of {resource.name}")
    return found, unclear
