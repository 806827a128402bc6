"""Rules on secrets: where they are, and the namespaces that they come into."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.core.spelling import near_matches
from penstock.core.wording import one_of, quoted
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules.rule import CLOUDS, rule

_PATH: Path = ("addons", "secrets")
_DEFAULT = "default"


@rule("SPEC-172", reads=("addons", "cloud"), provider="kubernetes")
def secrets_are_somewhere(spec: Spec) -> Iterator[Problem]:
    """Without a cloud, secrets are in a Vault, and come into the cluster as Secrets of Kubernetes."""
    store = spec.addons.get(SecretStoreSpec)
    if store is None:
        return
    if store.vault is None:
        message = "Provider kubernetes has no store of secrets of its own."
        yield Problem(_PATH, message, "Name the Vault that has them: vault: {server: https://HOST:8200, role: ROLE}.")
    if store.readers:
        message = "No cloud lets service accounts read secrets here."
        yield Problem((*_PATH, "readers"), message, "Name the namespaces that get them under delivered_to instead.")
    if not store.delivered_to:
        yield Problem(_PATH, "The secrets come nowhere.", "Name the namespaces that get them under delivered_to.")


@rule("SPEC-172", reads=("addons", "cloud"), provider=CLOUDS)
def clouds_have_stores(spec: Spec) -> Iterator[Problem]:
    """Secrets of a platform on a cloud are in the store of that cloud."""
    store = spec.addons.get(SecretStoreSpec)
    if store is not None and store.vault is not None:
        message = f"vault is for provider kubernetes: secrets are in the store of {spec.cloud.provider}."
        yield Problem((*_PATH, "vault"), message, "Leave it out.")


@rule("SPEC-173", reads=("addons", "cluster", "cloud"))
def namespaces_for_secrets_are_there(spec: Spec) -> Iterator[Problem]:
    """Secrets are delivered once to each namespace, which somebody creates before."""
    store = spec.addons.get(SecretStoreSpec)
    if store is None:
        return
    path = (*_PATH, "delivered_to")
    if store.delivered_to and not store.names:
        yield Problem(path, "There is nothing to deliver.", "Name the secrets under names.")
    there = (_DEFAULT, *(account.partition("/")[0] for _, account in spec.addons.team_accounts()))
    exists_already = spec.cloud.provider == "kubernetes" or spec.cluster.existing is not None
    seen: set[str] = set()
    for index, namespace in enumerate(store.delivered_to):
        if namespace in seen:
            yield Problem((*path, index), f"{quoted(namespace)} is named twice.", "Leave one of them out.")
        elif namespace not in there and not exists_already:
            message = f"Nothing creates the namespace {quoted(namespace)} in a new cluster."
            yield Problem((*path, index), message, one_of(namespace, there, "Namespaces of jobs"))
        elif namespace.startswith("kube-"):
            message = f"Pods of the cluster itself live in {namespace}, and jobs do not."
            yield Problem((*path, index), message, one_of(namespace, there, "Namespaces of jobs"))
        elif namespace not in there and near_matches(namespace, there):
            message = f"{quoted(namespace)} is no namespace of a team."
            yield Problem((*path, index), message, one_of(namespace, there, "Namespaces of jobs"))
        seen.add(namespace)
