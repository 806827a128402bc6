"""The rules on descriptions of platforms on a cluster that exists."""

from __future__ import annotations

from penstock.kubernetes.description.rules import cluster, fields, pools, storage

SUBJECTS = (fields, cluster, pools, storage)
