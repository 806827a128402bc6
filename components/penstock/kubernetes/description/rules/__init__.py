"""The rules on descriptions of platforms on a cluster that exists."""

from __future__ import annotations

from penstock.spec.rules.kubernetes import cluster, fields, pools, storage

SUBJECTS = (fields, cluster, pools, storage)
