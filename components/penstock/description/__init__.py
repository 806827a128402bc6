"""The description of a platform, its rules and its errors.

`load` reads a stack file, `parse` judges the object that Pulumi's configuration hands to a program. The blocks of the
description come from here or from their own modules; each is imported when it is first asked for, so that a program
which uses one component does not pay for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.core.lazy import lazy

if TYPE_CHECKING:
    from penstock.description.budget import BudgetSpec as BudgetSpec
    from penstock.description.cluster import ClusterSpec as ClusterSpec
    from penstock.description.document import Document
    from penstock.description.network import NetworkSpec as NetworkSpec
    from penstock.description.node_pool import NodePoolSpec as NodePoolSpec
    from penstock.description.platform import Spec as Spec
    from penstock.description.storage import BucketSpec as BucketSpec
    from penstock.description.storage import DatabaseSpec as DatabaseSpec
    from penstock.description.storage import LustreSpec as LustreSpec
    from penstock.description.storage import SharedFilesSpec as SharedFilesSpec

__getattr__, __all__ = lazy(
    __name__,
    {
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
    from penstock.description.document import read

    document = read(path)
    return parse(document.description, document)


def parse(data: Mapping[str, Any], document: Document | None = None) -> Spec:
    """The description as an object, judged by its models and all rules; `document` gives findings their lines.

    Raises:
        InvalidDescription: what it says cannot be built; carries every finding.
    """
    from penstock.description.judgement import judge

    return judge(data, document)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a stack file, for editors: what Penstock reads below `config`; others' keys are left alone."""
    from penstock.description.document import KEY
    from penstock.description.own_keys import KEYS, NAMESPACE, QUOTAS, STACK_OUTPUTS, USAGE
    from penstock.description.platform import Spec
    from penstock.description.usage import Usage
    from penstock.rules import settings

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
