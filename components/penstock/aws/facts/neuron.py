"""Neuron devices: how many processes train on one."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuronDevice:
    """One kind of Trainium or Inferentia.

    Attributes:
        cores: what frameworks see of a device by default, each the place of one process.
        trains: whether it trains, beside inference.
    """

    accelerator: str
    cores: int
    trains: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_device(accelerator: str) -> NeuronDevice:
    """The device of that name.

    Raises:
        UnknownFact: there is none.
    """
    return record_of(NeuronDevice, "aws/neuron_devices", accelerator, "Neuron device")
