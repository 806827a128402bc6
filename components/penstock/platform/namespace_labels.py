"""Whose namespaces are: the platform's tags, as labels of each namespace that it has."""

from __future__ import annotations

import copy
import re
from typing import Any, Final

import pulumi

from penstock.description.block import ComponentSpec
from penstock.description.platform import Spec, tags
from penstock.kubernetes.facts import label_forms

_NAMESPACE: Final = "kubernetes:core/v1:Namespace"
_MOST = 63


def labels(spec: Spec) -> dict[str, str]:
    """The tags of a platform in the form of labels; those whose key can be no label are left out."""
    found = {key: _value(value) for key, value in tags(spec, ComponentSpec()).items() if label_forms.is_key(key)}
    return {key: value for key, value in found.items() if value}


def labelled(spec: Spec) -> pulumi.ResourceOptions:
    """Return options by which each namespace among what they are given to has these labels, beside its own."""
    every = labels(spec)

    def label(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult | None:
        if args.type_ != _NAMESPACE:
            return None
        metadata: Any = copy.copy(args.props["metadata"])
        metadata.labels = {**every, **(metadata.labels or {})}
        return pulumi.ResourceTransformationResult({**args.props, "metadata": metadata}, args.opts)

    return pulumi.ResourceOptions(transformations=[label])


def _value(text: str) -> str:
    """A text with what no label may have replaced, so that people still know it."""
    return re.sub(r"[^-A-Za-z0-9_.]+", "-", text)[:_MOST].strip("-_.")
