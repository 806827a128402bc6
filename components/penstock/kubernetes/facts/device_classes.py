"""Classes of devices that pods claim (dynamic resource allocation), and the charts whose drivers publish them."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceClass:
    """One class, as one chart creates it.

    Attributes:
        name: as claims have it, such as gpu.nvidia.com.
        chart: the chart that creates the class and runs the driver.
        resource: the extended resource by which a device plugin hands out the same devices; None where there is none.
        turned_on_by: the value, as a path, without which the chart has no such class; None where it needs none.
        turned_off_by: the value, as a path, that leaves the class out when false; None where none does.
    """

    name: str
    chart: str
    resource: str | None
    turned_on_by: str | None
    turned_off_by: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def classes_of_chart(chart: str) -> tuple[DeviceClass, ...]:
    """The classes that a chart of this name may create; none for any other chart."""
    return tuple(each for each in _table() if each.chart == chart)


def class_of_resource(resource: str) -> DeviceClass | None:
    """The class by which pods claim what they would request as an extended resource; None where nothing publishes it.

    Of several charts, the one that Penstock installs comes first.
    """
    return next((each for each in _table() if each.resource == resource), None)


def resource_of(name: str) -> str | None:
    """The extended resource by which a device plugin hands out the devices of a class; None where there is none."""
    return next((each.resource for each in _table() if each.name == name), None)


def resources() -> frozenset[str]:
    """The extended resources whose devices some class has."""
    return frozenset(each.resource for each in _table() if each.resource is not None)


def is_known(name: str) -> bool:
    """Return whether a class of this name comes from one of the charts."""
    return any(each.name == name for each in _table())


def charts_of(name: str) -> tuple[str, ...]:
    """The charts that create a class, the one that Penstock installs first."""
    return tuple(each.chart for each in _table() if each.name == name)


def _table() -> tuple[DeviceClass, ...]:
    return records(DeviceClass, "kubernetes/device_classes")
