"""The Pulumi schema of the package: https://www.pulumi.com/docs/iac/guides/building-extending/packages/schema/."""

from __future__ import annotations

from penstock import __version__
from penstock.component_provider.catalogue import Packaged, packaged
from penstock.component_provider.models import inputs_model, outputs_model
from penstock.component_provider.spec_types import Schema, SpecTypes


def package_schema() -> Schema:
    """Return the schema: every component with its inputs and outputs, and the types that they name."""
    components = packaged()
    types = SpecTypes(model(each) for each in components.values() for model in (inputs_model, outputs_model))
    resources = {token: _resource(component, types) for token, component in components.items()}
    same_version = {"respectSchemaVersion": True}
    return {
        "name": "penstock",
        "version": __version__,
        "displayName": "Penstock",
        "description": "AI infrastructure on AWS, Google Cloud, Azure and Kubernetes.",
        "license": "Apache-2.0",
        "keywords": ["category/infrastructure", "kind/component"],
        "language": dict.fromkeys(("csharp", "go", "nodejs", "python"), same_version),
        "types": dict(sorted(types.types.items())),
        "resources": resources,
    }


def _resource(component: Packaged, types: SpecTypes) -> Schema:
    inputs, required_inputs = types.properties(inputs_model(component))
    outputs, required = types.properties(outputs_model(component))
    return {
        "isComponent": True,
        "description": component.component.description,
        "inputProperties": inputs,
        "requiredInputs": required_inputs,
        "properties": outputs,
        "required": required,
    }
