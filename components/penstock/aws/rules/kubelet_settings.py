"""Labels and taints that self-managed nodes of EKS give themselves when they join."""

from __future__ import annotations

import re
from typing import NamedTuple

from penstock.aws.rules import self_managed
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_LABELS = re.compile(r"--node-labels[= ]([^\s'\"]+)")
_TAINTS = re.compile(r"--register-with-taints[= ]([^\s'\"]+)")


class KubeletSettings(NamedTuple):
    """The labels and taints that the kubelet of a node sets.

    Attributes:
        labels: those that are known.
        taints: key, value and effect of each; None where not known.
        other_labels: whether it may set more labels.
    """

    labels: dict[str, str]
    taints: list[tuple[str, str, str]] | None
    other_labels: bool


def read_settings(starter: View) -> KubeletSettings:
    """The settings of the machines that something starts, from the flags of the kubelet in their user data.

    Nothing is known where the user data is not, and no taint where the user data has taints in another form.
    """
    try:
        text = "\n".join(self_managed.boot_texts(starter))
    except NotKnown:
        return KubeletSettings({}, None, other_labels=True)
    labels = [pair.partition("=") for flag in _LABELS.findall(text) for pair in flag.split(",")]
    taints = [_taint(written) for flag in _TAINTS.findall(text) for written in flag.split(",")]
    return KubeletSettings(
        {key: value for key, _, value in labels},
        None if "taint" in _TAINTS.sub("", text).casefold() else taints,
        other_labels=not text or "label" in _LABELS.sub("", text).casefold(),
    )


def _taint(written: str) -> tuple[str, str, str]:
    pair, _, effect = written.rpartition(":")
    key, _, value = pair.partition("=")
    return key, value, effect
