"""The kinds of preconditions of clusters that no program creates."""

from __future__ import annotations

from penstock.kubernetes.preconditions import charts, kubeconfig, network_policies, secrets, teams

SUBJECTS = (kubeconfig, network_policies, charts, secrets, teams)
