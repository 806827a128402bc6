"""Licences that come with images: which images have one, and how a cloud bills it beside the machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class LicensedImage:
    """A mark by which an image with a licence is known: what says so, such as its publisher, and the pattern of that.

    Attributes:
        said_by: publisher, project, platform and the like: what a program calls the image by.
        value: A pattern of it, in lower case.
        licence: The name of what is licensed.
    """

    cloud: str
    said_by: str
    value: str
    licence: str
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenceTerms:
    """How a licence is billed whose price is in services.csv, and on which machines that price holds.

    Attributes:
        billed_by: One licence for each vcpu, or one for each machine.
        machine_types: The types for which the price holds; small ones often have another.
        ways: The ways in which the machines may be bought; spot prices of some clouds have the licence in them.
    """

    cloud: str
    licence: str
    billed_by: Literal["vcpu", "machine"]
    machine_types: re.Pattern[str]
    ways: frozenset[str]
    source: str
    as_of: str

    @property
    def item(self) -> str:
        """The item of the service `licence` in services.csv."""
        return f"{self.licence} {self.billed_by}"


def licence_of(cloud: str, said_by: str, value: str) -> str | None:
    """Return the licence of an image by something that a program says of it; None for one without a licence."""
    given = value.casefold()
    for image in records(LicensedImage, "licensed_images"):
        if (image.cloud, image.said_by) == (cloud, said_by) and fnmatchcase(given, image.value):
            return image.licence
    return None


def licence_terms(cloud: str, licence: str, machine_type: str, way: str) -> LicenceTerms | None:
    """Return how a licence is billed on a machine; None where no price is known to hold for it."""
    for terms in records(LicenceTerms, "licence_terms"):
        if (terms.cloud, terms.licence) == (cloud, licence):
            return terms if way in terms.ways and terms.machine_types.fullmatch(machine_type) else None
    return None
