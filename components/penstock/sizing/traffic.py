"""What accelerators exchange in one step, and whether it hides behind the computation. Times in seconds."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.sizing_assumptions import assumed
from penstock.sizing.hardware import Hardware, effective_network
from penstock.sizing.memory import GB, SHARED_WEIGHTS, Layout
from penstock.sizing.shape import ModelShape

_BF16 = 2
_SLOW_LINK_GB_S = 200
"""Below it accelerators of one machine are joined by PCIe, whose traffic the measured utilisation does not include."""
_BITS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTraffic:
    """The exchange of one step.

    Attributes:
        node_bytes: what each machine sends to others.
        seconds: how long that takes on the machine's network.
        ethernet_seconds: how long it would take on an Ethernet of 100 Gbit/s.
        local_seconds: how long tensor parallelism takes on the links of one machine, where they are slow.
        compute_seconds: the computation of the same step.
        formula: how `node_bytes` follows.
    """

    node_bytes: float
    seconds: float
    ethernet_seconds: float
    local_seconds: float
    compute_seconds: float
    formula: str

    @property
    def exposed(self) -> float:
        """What the step waits for beyond its computation."""
        return _beyond(self.seconds, self.compute_seconds) + self.local_seconds

    @property
    def slowdown(self) -> float:
        """The step over its computation alone."""
        return 1 + self.exposed / self.compute_seconds

    @property
    def ethernet_slowdown(self) -> float:
        """The same on an Ethernet of 100 Gbit/s."""
        return 1 + _beyond(self.ethernet_seconds, self.compute_seconds) / self.compute_seconds


def _beyond(exchange: float, compute: float) -> float:
    return max(0.0, exchange - assumed("overlap") * compute)


def ring_bytes(size: float, members: int) -> float:
    """What each member of a ring all-reduce sends: 2 (n-1)/n of the buffer."""
    return 2 * (members - 1) / members * size if members > 1 else 0.0


def step_traffic(
    shape: ModelShape,
    layout: Layout,
    hardware: Hardware,
    *,
    nodes: int,
    sequence: int,
    batch_tokens: float,
    compute_seconds: float,
    trained: float | None = None,
    weight_bytes: float | None = None,
) -> StepTraffic:
    """The exchange of one step between machines.

    Replicas first add up inside a machine, so that each machine sends its part of the model once. Replicas that share
    the optimiser or gradients exchange gradients; those that share weights gather them twice for each micro-batch.

    Args:
        shape: The model.
        layout: How it is spread.
        hardware: The machine.
        nodes: How many there are.
        sequence: Tokens of one sequence.
        batch_tokens: Tokens of one step.
        compute_seconds: The computation of one step.
        trained: Parameters that have gradients; None for all.
        weight_bytes: Bytes of each weight that is gathered; None for those of BF16.
    """
    groups = max(1, nodes // layout.pipeline)
    micro = micro_batches(layout, sequence, batch_tokens)
    here = shape.shared_parameters + shape.expert_parameters / max(1.0, layout.expert / hardware.each)
    weights = (weight_bytes or _BF16) * here / layout.pipeline
    gradients = _BF16 * (here if trained is None else trained) / layout.pipeline
    formula = "2 (n-1)/n × gradients in BF16"
    sent = ring_bytes(gradients, groups)
    if layout.stage >= SHARED_WEIGHTS:
        part = (groups - 1) / groups
        sent = part * (2 * micro * weights + gradients)
        formula = f"(n-1)/n × (2 × {micro:g} micro-batches × weights + gradients) in BF16"
    if layout.expert > hardware.each:
        tokens = batch_tokens / nodes
        leaving = 1 - hardware.each / layout.expert
        sent += 4 * shape.experts_per_token * _BF16 * shape.hidden * shape.layers * tokens * leaving
        formula += " + 4 × experts of a token × hidden × layers × tokens, to the experts and back, twice"
    ethernet = assumed("ethernet") / _BITS * GB * assumed("fabric_efficiency")
    return StepTraffic(
        node_bytes=sent,
        seconds=sent / effective_network(hardware, nodes),
        ethernet_seconds=sent / ethernet,
        local_seconds=_tensor_seconds(shape, layout, hardware, sequence, micro),
        compute_seconds=compute_seconds,
        formula=formula,
    )


def micro_batches(layout: Layout, sequence: int, batch_tokens: float) -> float:
    """The micro-batches of one step that each replica works through."""
    return max(1.0, round(batch_tokens / (sequence * layout.micro_batch * layout.data)))


def _tensor_seconds(shape: ModelShape, layout: Layout, hardware: Hardware, sequence: int, micro: float) -> float:
    link = hardware.chip.scale_up_gb_s or 0
    if layout.tensor == 1 or link >= _SLOW_LINK_GB_S or link == 0:
        return 0.0
    one = ring_bytes(_BF16 * sequence * layout.micro_batch * shape.hidden, layout.tensor)
    return 4 * one * shape.layers / layout.pipeline * micro / (link * GB)
