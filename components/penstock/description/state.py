"""State of Pulumi stacks in a self-managed bucket."""

from __future__ import annotations

import shlex
from typing import Annotated

from pydantic import Field, StrictBool, StringConstraints

from penstock.description.block import HoldingSpec
from penstock.description.storage import RetentionDays

GITHUB_ACTIONS = "https://token.actions.githubusercontent.com"

Issuer = Annotated[str, StringConstraints(pattern=r"^https://[^\s/?#@]+(/[^\s?#]*[^\s/?#])?$", max_length=255)]
Subject = Annotated[str, StringConstraints(pattern=r"^[^\s*?'\"\\]+$", max_length=255)]


class StateBackendSpec(HoldingSpec):
    """A self-managed backend of Pulumi: a versioned bucket, the key of secrets, and the pipelines that use both."""

    protect: StrictBool | None = Field(default=True, description="Deletion protection of the state and its key.")
    retention_days: RetentionDays = Field(
        default=90, description="Days that overwritten and deleted versions of the state are kept."
    )
    issuer: Issuer = Field(
        default=GITHUB_ACTIONS, description="Issuer of the OIDC tokens of pipelines, without a slash at its end."
    )
    pipelines: tuple[Subject, ...] = Field(
        default=(),
        description="Subjects of the OIDC tokens that may use the state, such as repo:acme/platform:environment:prod. "
        "Each must match exactly: there are no wildcards.",
    )


def login_command(backend_url: str) -> str:
    """Return the command that makes Pulumi use a backend."""
    return f"pulumi login {shlex.quote(backend_url)}"


def init_command(secrets_provider: str) -> str:
    """Return the command that creates a stack whose secrets a key encrypts."""
    return f"pulumi stack init STACK --secrets-provider {shlex.quote(secrets_provider)}"
