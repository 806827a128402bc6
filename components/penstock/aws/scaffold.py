"""What a new repository needs of AWS."""

from __future__ import annotations

from penstock.aws.sizing import SIZING
from penstock.scaffold.cloud_scaffold import CloudScaffold

SCAFFOLD = CloudScaffold(
    region="us-east-1", account=SIZING.account, cluster=SIZING.cluster, reservations=SIZING.reservations
)
