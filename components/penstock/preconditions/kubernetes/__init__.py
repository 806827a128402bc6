"""The kinds of preconditions of clusters that no program creates."""

from __future__ import annotations

from penstock.preconditions.kubernetes import charts, kubeconfig, teams

SUBJECTS = (kubeconfig, charts, teams)
