"""What a new repository needs of Azure."""

from __future__ import annotations

from penstock.azure.sizing import SIZING
from penstock.scaffold.cloud_scaffold import CloudScaffold

SCAFFOLD = CloudScaffold(
    region="eastus", account=SIZING.account, cluster=SIZING.cluster, reservations=SIZING.reservations
)
