"""The records of a format, and of what a cloud converts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from penstock.conversion.draft import Draft
from penstock.conversion.resources import Reader
from penstock.description.positions import Path, Place


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file as plain data.

    Attributes:
        file: The path as typed.
        data: The data.
        places: The position of each part.
        defaults: The values of Terraform variables and locals, by reference.
    """

    file: str
    data: Mapping[str, Any]
    places: Mapping[Path, Place]
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """The files of another tool.

    Attributes:
        title: The name of the format.
        language: The language of its files.
        recognises: Whether data have the format.
        read: Makes a draft of a file.
    """

    title: str
    language: Literal["yaml", "hcl"]
    recognises: Callable[[Mapping[str, Any]], bool]
    read: Callable[[ParsedFile], Draft]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudConversion:
    """How files and resources of a cloud become a description.

    Attributes:
        formats: The files of tools for this cloud only.
        readers: What reads a resource of a stack export, by its type.
        own: Beginnings of the types that Penstock creates for every platform, with settings of its own.
        region: The key of the provider's configuration that has the region.
        account: The key of the provider's configuration that has the account; empty where it has none.
    """

    formats: tuple[FileFormat, ...] = ()
    readers: Mapping[str, Reader]
    own: tuple[str, ...]
    region: str = "region"
    account: str = ""
