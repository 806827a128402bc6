"""Notebooks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.description.addon_block import AddonBlock
from penstock.description.block import SpecBlock
from penstock.description.forms import HttpsUrl, IngressHost, Member, ObjectName, SecretKey

Gib = Annotated[int, Field(ge=1, le=65536, strict=True)]


class NotebookLogin(SpecBlock):
    """The OpenID Connect provider by which people log in."""

    client_id: Member = Field(description="Id of the client at the provider; its redirect is URL/hub/oauth_callback.")
    client_from: SecretKey = Field(description="The client's secret as NAME/KEY of a Secret in namespace jupyterhub.")
    authorize_url: HttpsUrl = Field(description="Authorization endpoint of the provider.")
    token_url: HttpsUrl = Field(description="Token endpoint.")
    userdata_url: HttpsUrl = Field(description="UserInfo endpoint.")
    username_claim: Member = Field(default="email", description="Claim that names a user.")


class NotebookIngress(SpecBlock):
    """The way in from outside of the cluster."""

    host: IngressHost = Field(description="Host name, such as notebooks.example.com.")
    class_name: ObjectName = Field(description="Ingress class of a controller that the cluster has.")
    certificate_from: ObjectName = Field(description="Secret of namespace jupyterhub with the certificate.")


class NotebooksSpec(AddonBlock):
    """JupyterHub: a notebook server for each person, on plain nodes unless they choose an accelerator."""

    login: NotebookLogin
    users: Literal["all"] | tuple[Member, ...] = Field(
        description="Names of those who may log in, or all whom the provider lets in."
    )
    admins: tuple[Member, ...] = Field(default=(), description="Names of those who see and stop the servers of others.")
    ingress: NotebookIngress | None = Field(
        default=None, description="Way in from outside; without it people forward a port of service proxy-public."
    )
    home_gib: Gib = Field(default=10, description="Size of a person's home in GiB.")
    idle_minutes: Annotated[int, Field(ge=5, strict=True)] = Field(
        default=60, description="Minutes after which an idle server stops and its accelerator is free."
    )
