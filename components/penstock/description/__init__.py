"""The description of a platform, its rules and its errors.

`load` reads a stack file, `parse` judges the object that Pulumi's configuration hands to a program. The blocks of the
description come from here or from their own modules; each is imported when it is first asked for, so that a program
which uses one component does not pay for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.lazy import lazy

if TYPE_CHECKING:
    from penstock.spec.addon_blocks.secrets import SecretStoreSpec as SecretStoreSpec
    from penstock.spec.addons import RegistrySpec as RegistrySpec
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

__getattr__, __all__ = lazy(
    __name__,
    {
        "addon_blocks.secrets": "SecretStoreSpec",
        "addons": "RegistrySpec",
        "budget": "BudgetSpec",
        "cluster": "ClusterSpec",
        "network": "NetworkSpec",
        "node_pool": "NodePoolSpec",
        "platform": "Spec",
        "storage": "BucketSpec DatabaseSpec LustreSpec SharedFilesSpec",
    },
)
__all__ += ["json_schema", "load", "parse"]


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
    """The JSON Schema of a stack file, for editors: what Penstock reads below `config`; others' keys are left alone."""
    from penstock.rules import settings
    from penstock.spec.document import KEY
    from penstock.spec.own_keys import KEYS, NAMESPACE, QUOTAS, STACK_OUTPUTS, USAGE
    from penstock.spec.platform import Spec
    from penstock.spec.usage import Usage

    platform = Spec.model_json_schema()
    policies = settings.Settings.model_json_schema()
    usage = Usage.model_json_schema()
    definitions = {**platform.pop("$defs"), **policies.pop("$defs"), **usage.pop("$defs")}
    quotas = {
        "type": "object",
        "description": "Quotas of the account or project, by code or metric.",
        "additionalProperties": {"type": "number", "minimum": 0},
    }
    stack_outputs = {
        "type": "object",
        "description": "Outputs of other stacks that the program refers to, by the name of the stack.",
        "additionalProperties": {"type": "object"},
    }
    blocks = {
        KEY: {"$ref": "#/$defs/Spec"},
        settings.KEY: {"$ref": "#/$defs/Settings"},
        QUOTAS: quotas,
        STACK_OUTPUTS: stack_outputs,
        USAGE: {"$ref": "#/$defs/Usage"},
    }
    names = {"pattern": f"^({'|'.join(KEYS)})$|^(?!{NAMESPACE})"}
    config = {"type": "object", "properties": blocks, "propertyNames": names}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pulumi stack file, with what Penstock reads in it",
        "type": "object",
        "properties": {"config": config},
        "$defs": {**definitions, "Spec": platform, "Settings": policies, "Usage": usage},
    }
