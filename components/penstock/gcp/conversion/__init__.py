"""How Google Cloud platforms become descriptions: from blueprints, and from the resources of a stack export."""

from __future__ import annotations

from typing import Final

from penstock.conversion.format import CloudConversion
from penstock.gcp.conversion import cluster_toolkit
from penstock.gcp.conversion.resources import READERS

CONVERSION: Final = CloudConversion(
    formats=(cluster_toolkit.FORMAT,),
    readers=READERS,
    own=("gcp:compute/", "gcp:serviceaccount/", "gcp:projects/", "gcp:kms/", "gcp:servicenetworking/", "gcp:storage/"),
    account="project",
)
