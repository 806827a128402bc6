"""The formats that can be imported, recognised by content."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from penstock.conversion import hcl, stack_export
from penstock.conversion.draft import Draft
from penstock.conversion.format import CloudConversion, FileFormat, ParsedFile
from penstock.core.errors import UnusableSource
from penstock.core.wording import listed
from penstock.description import document
from penstock.providers import all_providers

_HCL_ENDINGS: Final = (".tf", ".hcl")
_HCL_BEGINNINGS: Final = tuple(
    f"{word} " for word in ("module", "terraform", "provider", "variable", "locals", "resource", "data", "output")
)


def _formats(language: str) -> Iterator[FileFormat]:
    for provider in all_providers():
        conversion: CloudConversion | None = provider.load("conversion")
        if conversion is not None:
            yield from (each for each in conversion.formats if each.language == language)


def _understood() -> str:
    return listed((stack_export.TITLE, *(each.title for language in ("yaml", "hcl") for each in _formats(language))))


def read(file: Path) -> tuple[str, Draft]:
    """Return the title of a file's format, and its draft.

    Raises:
        UnusableSource: the file cannot be read, is broken, or has an unknown format.
        UnusableState: the stack export is broken.
        InvalidDescription: the YAML is broken; names the line.
    """
    text = _text(file)
    if not text.strip():
        raise UnusableSource(f"The file is empty. Understood formats: {_understood()}.", str(file))
    if text.lstrip().startswith("{"):
        return _json(file, text)
    if file.suffix in _HCL_ENDINGS or _begins(text):
        return _terraform(file, text)
    return _yaml(file)


def _text(file: Path) -> str:
    if file.is_dir():
        raise UnusableSource(f"{file} is a folder. Name one file: {_understood()}.")
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnusableSource(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except UnicodeDecodeError:
        raise UnusableSource("The file is not text in UTF-8.", str(file)) from None


def _json(file: Path, text: str) -> tuple[str, Draft]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise UnusableSource("The file is not JSON.", str(file), line or 1) from None
    if "deployment" in data and "version" in data:
        return stack_export.TITLE, stack_export.read(file, text)
    return _yaml(file)


def _yaml(file: Path) -> tuple[str, Draft]:
    data = document.values(file)
    return _draft(file, "yaml", ParsedFile(str(file), data, document.places(file)))


def _terraform(file: Path, text: str) -> tuple[str, Draft]:
    data, places = hcl.parse(text, str(file))
    defaults: dict[str, Any] = {}
    for other in hcl.neighbours(file):
        defaults.update(hcl.defaults_of(hcl.parse(_text(other), str(other))[0]))
    return _draft(file, "hcl", ParsedFile(str(file), data, places, {**defaults, **hcl.defaults_of(data)}))


def _draft(file: Path, language: str, parsed: ParsedFile) -> tuple[str, Draft]:
    if isinstance(parsed.data, Mapping):
        for form in _formats(language):
            if form.recognises(parsed.data):
                return form.title, form.read(parsed)
    if language == "hcl":
        message = f"The file is Terraform, and calls no module that is understood. Understood formats: {_understood()}."
        raise UnusableSource(message, str(file))
    raise _unknown(file, parsed.data)


def _begins(text: str) -> bool:
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "//")))
    return next(lines, "").startswith(_HCL_BEGINNINGS)


def _unknown(file: Path, data: Any) -> UnusableSource:
    what, hint = _named(data)
    return UnusableSource(f"{what} Understood formats: {_understood()}.{hint}", str(file))


def _named(data: Any) -> tuple[str, str]:
    """Return what a file of another tool is, and what to import in its place."""
    if not isinstance(data, Mapping):
        return "The file holds no block of keys and values.", ""
    if "terraform_version" in data and "serial" in data:
        return "The file is a Terraform state.", " Import the .tf file that calls the module."
    if "planned_values" in data:
        return "The file is a Terraform plan.", " Import the .tf file that calls the module."
    if "AWSTemplateFormatVersion" in data or _is_cloudformation(data.get("Resources")):
        return "The file is a CloudFormation template.", ""
    if "$schema" in data and "deploymentTemplate" in str(data["$schema"]):
        return "The file is an ARM template.", ""
    if "config" in data and isinstance(data["config"], Mapping) and document.KEY in data["config"]:
        return "The file is a stack file with a description already.", " Run `penstock rehearse` with it."
    if "apiVersion" in data and "kind" in data:
        return "The file is a Kubernetes manifest.", ""
    return "The format of the file is unknown.", ""


def _is_cloudformation(resources: Any) -> bool:
    values = resources.values() if isinstance(resources, Mapping) else ()
    return any(isinstance(each, Mapping) and "::" in str(each.get("Type", "")) for each in values)
