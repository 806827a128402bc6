"""What a new repository needs of Google Cloud."""

from __future__ import annotations

from penstock.gcp.sizing import SIZING
from penstock.scaffold.cloud_scaffold import CloudScaffold

SCAFFOLD = CloudScaffold(
    region="us-central1", account=SIZING.account, cluster=SIZING.cluster, reservations=SIZING.reservations
)
