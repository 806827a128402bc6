"""What a platform is: the description, its rules and its errors.

`load` reads a stack file, `parse` judges the object that Pulumi's configuration hands to a program. The blocks of the
description come from here or from their own modules; each is imported when it is first asked for, so that a program
which uses one component does not pay for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.spec.addons import RegistrySpec as RegistrySpec
    from penstock.spec.addons import SecretStoreSpec as SecretStoreSpec
    from penstock.spec.budget import BudgetSpec as BudgetSpec
    from penstock.spec.cluster import ClusterSpec as ClusterSpec
    from penstock.spec.document import Document
    from penstock.spec.network import NetworkSpec as NetworkSpec
    from penstock.spec.node_pool import NodePoolSpec as NodePoolSpec
    from penstock.spec.platform import Spec as Spec
    from penstock.spec.storage import BucketSpec as BucketSpec
    from penstock.spec.storage import DatabaseSpec as DatabaseSpec
    from penstock.spec.storage import LustreSpec as LustreSpec
    from penstock.spec.storage import SharedFilesSpec as SharedFilesSpec

_HOMES = {
    "BucketSpec": "storage",
    "BudgetSpec": "budget",
    "ClusterSpec": "cluster",
    "DatabaseSpec": "storage",
    "LustreSpec": "storage",
    "NetworkSpec": "network",
    "NodePoolSpec": "node_pool",
    "RegistrySpec": "addons",
    "SecretStoreSpec": "addons",
    "SharedFilesSpec": "storage",
    "Spec": "platform",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def load(path: Path) -> Spec:
    """The description in a stack file, `stacks/Pulumi.ENV.yaml`.

    Raises:
        InvalidDescription: the file cannot be read, or what it says cannot be built; carries every finding, in the
            order of the file.
    """
    from penstock.spec.document import read

    document = read(path)
    return parse(document.description, document)


def parse(data: Mapping[str, Any], document: Document | None = None) -> Spec:
    """The description as an object, judged by its models and all rules; `document` gives findings their lines.

    Raises:
        InvalidDescription: what it says cannot be built; carries every finding.
    """
    from penstock.spec.judgement import judge

    return judge(data, document)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a stack file, for editors: what Penstock reads below `config`; other keys are left alone."""
    from penstock.rules import settings
    from penstock.spec.document import KEY
    from penstock.spec.platform import Spec

    platform = Spec.model_json_schema()
    policies = settings.Settings.model_json_schema()
    definitions = {**platform.pop("$defs"), **policies.pop("$defs")}
    blocks = {KEY: {"$ref": "#/$defs/Spec"}, settings.KEY: {"$ref": "#/$defs/Settings"}}
    config = {"type": "object", "required": [KEY], "properties": blocks}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pulumi stack file with a Penstock platform",
        "type": "object",
        "required": ["config"],
        "properties": {"config": config},
        "$defs": {**definitions, "Spec": platform, "Settings": policies},
    }
