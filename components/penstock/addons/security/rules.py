"""Rules on security: who signs images, and whether a cluster can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from penstock.addons.security.block import SecuritySpec, SignatureSpec
from penstock.core.wording import quoted
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_PATH: Path = ("addons", "security", "signatures")


class _Owner(NamedTuple):
    """How subjects of an issuer begin that names accounts of the public, with the account."""

    form: re.Pattern[str]
    example: str


_OWNERS: Final = {
    "https://token.actions.githubusercontent.com": _Owner(
        re.compile(r"https://github\.com/[^/]+/"), "https://github.com/acme/*"
    ),
    "https://gitlab.com": _Owner(re.compile(r"https://gitlab\.com/[^/]+/"), "https://gitlab.com/acme/*"),
}
"""Issuers that anybody has an account of (Sigstore documentation, OIDC in Fulcio)."""


@rule("SPEC-174", reads=("addons",))
def somebody_signs(spec: Spec) -> Iterator[Problem]:
    """Signatures are of one key, or of somebody whom an issuer knows."""
    for index, each in enumerate(_signatures(spec)):
        path = (*_PATH, index)
        if each.key is not None and (each.issuer is not None or each.subject is not None):
            yield Problem((*path, "key"), "A signature is of a key, or of a subject.", "Keep one of the two.")
        elif each.key is None and (each.issuer is None or each.subject is None):
            lacking = "subject" if each.issuer is not None else "issuer" if each.subject is not None else "key"
            hint = "Give the public key, or the issuer and the subject of whoever signs."
            yield Problem(path, f"Nobody is known to sign these images: {lacking} is missing.", hint)


@rule("SPEC-174", reads=("addons",))
def not_everybody_signs(spec: Spec) -> Iterator[Problem]:
    """Who signs without a key is narrowed down: an issuer of the public knows everybody."""
    for index, each in enumerate(_signatures(spec)):
        if each.key is not None or each.subject is None:
            continue
        owner = _OWNERS.get((each.issuer or "").rstrip("/"))
        named = each.subject.partition("*")[0]
        if not named or (owner is not None and "*" in each.subject and not owner.form.match(named)):
            message = f"{quoted(each.subject)} lets anybody sign whom {each.issuer} knows."
            example = owner.example if owner is not None else "an account of yours"
            yield Problem((*_PATH, index, "subject"), message, f"Name whose signatures count, such as {example}.")


@rule("SPEC-178", reads=("addons", "network", "cloud"))
def a_closed_network_needs_keys(spec: Spec) -> Iterator[Problem]:
    """Who signed without a key is written in a public log, which a network without egress does not reach."""
    if spec.cloud.provider == "kubernetes" or spec.network.egress != "none":
        return
    for index, each in enumerate(_signatures(spec)):
        if each.key is None and each.subject is not None:
            message = "Signatures without a key are looked up at rekor.sigstore.dev, and this network has no egress."
            yield Problem((*_PATH, index), message, "Sign these images with a key, and give its public half as key.")


def _signatures(spec: Spec) -> tuple[SignatureSpec, ...]:
    security = spec.addons.get(SecuritySpec)
    return security.signatures if security is not None else ()
