"""Preferences of Session Manager on AWS, which a program writes as a document in JSON or YAML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import yaml

from penstock.graph.verdict import TypeMismatch
from penstock.graph.view import View


def session_inputs(document: View) -> Mapping[str, Any] | None:
    """The inputs of a document of type Session; None for other documents.

    Raises:
        NotKnown: the document is not known yet.
        TypeMismatch: it is not the text of an object.
    """
    if document.text("documentType") != "Session":
        return None
    text = document.text("content") or ""
    try:
        content = yaml.safe_load(text) if document.text("documentFormat") == "YAML" else json.loads(text)
    except (ValueError, yaml.YAMLError):
        raise TypeMismatch from None
    inputs = content.get("inputs", {}) if isinstance(content, Mapping) else None
    if not isinstance(inputs, Mapping):
        raise TypeMismatch
    return inputs
