"""Delivery by pull: what runs in the cluster follows a repository."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec
from penstock.description.forms import NamespaceName

_PART = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"


class GitOpsSpec(AddonBlock, ComponentSpec):
    """Argo CD, which pulls from one repository and keeps the cluster as it says; nothing reaches in from outside."""

    repository: Annotated[
        str, StringConstraints(pattern=r"^(https://[^\s/@:]+(:\d+)?/\S+|ssh://git@[^\s/@:]+(:\d+)?/\S+)$")
    ] = Field(
        description="Address of the repository, such as https://git.example.com/edge.git, without a login: that "
        "is in a Secret of the namespace argocd."
    )
    path: Annotated[str, StringConstraints(pattern=rf"^(\.|{_PART}(/{_PART})*)$")] = Field(
        default=".", description="Folder of the repository with the manifests, a Helm chart or a kustomization."
    )
    revision: Annotated[str, StringConstraints(pattern=r"^\S+$")] = Field(
        default="HEAD", description="Branch, tag or commit that the cluster follows."
    )
    namespaces: Annotated[tuple[NamespaceName, ...], Field(min_length=1)] = Field(
        description="Namespaces that it delivers into, which are created; it has no rights in others."
    )
