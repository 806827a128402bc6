"""Security in a cluster: what it refuses to run, whose images it trusts, and what it looks for in them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec, SpecBlock
from penstock.description.forms import HttpsUrl, PemPublicKey

ImagePattern = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.:-]*/[A-Za-z0-9._/*-]+$")]
Issuer = Annotated[HttpsUrl, StringConstraints(pattern=r"^https://[^\s?#@]+$")]
Subject = Annotated[str, StringConstraints(pattern=r"^\S+$")]


class SignatureSpec(SpecBlock):
    """Images of which none runs that Cosign has not signed, with a key or as somebody known."""

    images: tuple[ImagePattern, ...] = Field(
        min_length=1, description="Images by registry and path; a star is any text, as in ghcr.io/acme/*."
    )
    key: PemPublicKey | None = Field(default=None, description="Public key of the signatures, in PEM.")
    issuer: Issuer | None = Field(
        default=None,
        description="Without a key: who says who signed, such as https://token.actions.githubusercontent.com.",
    )
    subject: Subject | None = Field(
        default=None, description="Without a key: who signed, as the issuer calls them; a star is any text."
    )


class SecuritySpec(AddonBlock, ComponentSpec):
    """Rules that the cluster itself holds to, and scans of what runs."""

    signatures: tuple[SignatureSpec, ...] = Field(default=(), description="Images that must be signed, and by whom.")
