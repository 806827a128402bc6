"""Rules on stacks that the cluster deploys: where their programs, state and secrets are."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.addons.pulumi.block import PulumiOperatorSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_HERE = ("addons", "pulumi")
_CLOUD = "https://"


@rule("SPEC-205", reads=("addons",))
def a_stack_has_one_source(spec: Spec) -> Iterator[Problem]:
    """A stack has either a repository, at a branch or a commit, or a source of Flux."""
    operator = spec.addons.get(PulumiOperatorSpec)
    for index, stack in enumerate(operator.stacks if operator is not None else ()):
        at = (*_HERE, "stacks", index)
        if (stack.repository is None) == (stack.flux is None):
            found = "no source" if stack.flux is None else "two sources"
            yield Problem(at, f"Stack {stack.name} has {found}.", "Set either repository or flux.")
        if stack.branch is not None and stack.commit is not None:
            message = f"Stack {stack.name} has a branch and a commit, of which the operator takes one."
            yield Problem((*at, "commit"), message, "Remove branch to stay at the commit.")
        given = [each for each in ("branch", "commit", "login_from") if getattr(stack, each) is not None]
        if stack.flux is not None and stack.repository is None and given:
            message = f"Stack {stack.name} has {given[0]}, which the GitRepository {stack.flux} decides."
            yield Problem((*at, given[0]), message, "Set it on the GitRepository.")


@rule("SPEC-206", reads=("addons",))
def secrets_of_stacks_have_a_key(spec: Spec) -> Iterator[Problem]:
    """Stacks in a bucket have a key for their secrets, and those in Pulumi Cloud an access token."""
    operator = spec.addons.get(PulumiOperatorSpec)
    if operator is None:
        return
    in_cloud = operator.backend.startswith(_CLOUD)
    if not in_cloud and operator.secrets_provider is None:
        message = "Nothing encrypts the secrets of the stacks: a bucket has no key of its own for them."
        yield Problem((*_HERE, "secrets_provider"), message, "Set it to the output secrets_provider of StateBackend.")
    if in_cloud and operator.token_from is None:
        message = "Pulumi Cloud takes no stack without an access token."
        yield Problem((*_HERE, "token_from"), message, "Name a Secret with the token, as NAME/KEY.")
    if not in_cloud and operator.token_from is not None:
        message = "The access token is for Pulumi Cloud, and the state is in a bucket."
        yield Problem((*_HERE, "token_from"), message, "Remove token_from.")
