"""Software that installs the drivers of accelerators on nodes whose image lacks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from penstock.catalog.records import Column, keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverInstaller:
    """A Helm chart, or an image of a DaemonSet.

    Attributes:
        name: the chart, or the last part of the image's name.
        resource: what pods request of the accelerators, such as nvidia.com/gpu.
        enabled_by: the value of the chart, as a path, that turns the installation on or off; None where it always runs.
        default: whether it is on where the value is not given; None where that is not known.
    """

    name: Annotated[str, Column("software")]
    form: Literal["chart", "image"]
    resource: str
    enabled_by: str | None
    default: bool | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def installer_of_chart(chart: str) -> DriverInstaller | None:
    """The installer that a chart of this name brings; None for any other chart."""
    return _of_form(chart, "chart")


def installer_of_image(image: str) -> DriverInstaller | None:
    """The installer that an image is, by the last part of its name without tag; None for any other image."""
    return _of_form(image, "image")


def _of_form(name: str, form: str) -> DriverInstaller | None:
    found = keyed(DriverInstaller, "kubernetes/driver_installers").get(name)
    return found if found is not None and found.form == form else None
