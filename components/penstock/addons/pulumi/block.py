"""Stacks of Pulumi that the cluster deploys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field, StrictBool, StringConstraints
from typing_extensions import override

from penstock.description.addon_block import AddonBlock
from penstock.description.block import SpecBlock
from penstock.description.forms import Image, ObjectName, SecretKey

_PART = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
_HOST = r"[^\s/@:]+(:\d+)?"

StackObject = Annotated[ObjectName, StringConstraints(max_length=42)]
StackName = Annotated[str, StringConstraints(pattern=rf"^{_PART}(/{_PART}){{0,2}}$", max_length=255)]
Repository = Annotated[str, StringConstraints(pattern=rf"^(https://|ssh://git@){_HOST}/[^\s/]+/\S+$")]
"""With an owner: the operator marks a Stack as stalled whose repository has a name only (2.9.0)."""

Folder = Annotated[str, StringConstraints(pattern=rf"^(\.|{_PART}(/{_PART})*)$")]
Backend = Annotated[str, StringConstraints(pattern=r"^(s3|gs|azblob|https)://[^\s@]+$")]
SecretsProvider = Annotated[str, StringConstraints(pattern=r"^(awskms|gcpkms|azurekeyvault|hashivault)://\S+$")]


class DeployedStack(SpecBlock):
    """A stack that the operator keeps as its repository says."""

    name: StackObject = Field(description="Name of the Stack object, with up to 42 characters.")
    stack: StackName = Field(description="Name of the stack, such as organization/platform/prod.")
    repository: Repository | None = Field(
        default=None,
        description="Address of the Git repository by https or ssh, as HOST/OWNER/NAME.git, without a login in it.",
    )
    branch: Annotated[str, StringConstraints(pattern=r"^\S+$")] | None = Field(
        default=None, description="Branch that the stack follows; main without branch and commit."
    )
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")] | None = Field(
        default=None, description="Commit that the stack stays at, in place of a branch."
    )
    login_from: SecretKey | None = Field(
        default=None,
        description="Token or SSH key for the repository, as NAME/KEY of a Secret in the operator's namespace.",
    )
    flux: ObjectName | None = Field(
        default=None,
        description="Name of a GitRepository of Flux in the operator's namespace, in place of repository. Flux is not "
        "installed.",
    )
    path: Folder = Field(default=".", description="Folder of the repository with Pulumi.yaml.")
    preview: StrictBool = Field(default=False, description="Only preview what would change.")


class PulumiOperatorSpec(AddonBlock):
    """The Pulumi Kubernetes Operator, which deploys stacks from the cluster when their repository changes."""

    backend: Backend = Field(description="Where the state is: s3://, gs://, azblob:// or https:// for Pulumi Cloud.")
    secrets_provider: SecretsProvider | None = Field(
        default=None, description="Key of the stacks' secrets; needed unless the state is in Pulumi Cloud."
    )
    token_from: SecretKey | None = Field(
        default=None,
        description="Access token of Pulumi Cloud, as NAME/KEY of a Secret in the operator's namespace.",
    )
    account: Mapping[str, str] = Field(
        default_factory=dict,
        description="Annotations of the service account deployer by which the cloud knows what deploys, such as "
        "iam.gke.io/gcp-service-account or azure.workload.identity/client-id.",
    )
    image: Image | None = Field(
        default=None,
        description="Image that runs the programs as user 1000, with what they import; by default Pulumi's own for "
        "all languages.",
    )
    stacks: tuple[DeployedStack, ...] = Field(
        default=(), description="Stacks to deploy; others are applied as objects, such as by Argo CD."
    )

    @override
    def names_once(self) -> Mapping[str, Sequence[str]]:
        return {"stacks": [each.name for each in self.stacks]}
