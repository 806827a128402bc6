"""How Megatron-LM spreads a model over GPUs, and what does not divide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallelism:
    """The degrees in which a model and its batches are divided.

    Attributes:
        world: all GPUs of the job.
        of_node: the GPUs of one node, among which NVLink is fast.
        tensor: GPUs that hold one layer together.
        pipeline: groups of layers, one after the other.
    """

    world: int
    of_node: int
    tensor: int = 1
    pipeline: int = 1

    @property
    def data(self) -> int:
        """How many copies of the model train on batches of their own."""
        return self.world // (self.tensor * self.pipeline)

    def problem(self) -> str:
        """Return what is wrong with the degrees, and what would be right; nothing where they fit."""
        if self.tensor < 1 or self.pipeline < 1:
            return "The degrees of tensor and pipeline parallelism are 1 or more."
        if self.tensor > self.of_node or self.of_node % self.tensor:
            degrees = [str(each) for each in range(1, self.of_node + 1) if self.of_node % each == 0]
            return (
                f"Tensor parallelism of {self.tensor} does not divide the {self.of_node} GPUs of a node, and leaves "
                f"NVLink. Use --tensor {', '.join(degrees)}."
            )
        if self.world % (self.tensor * self.pipeline):
            return (
                f"{self.tensor} x {self.pipeline} GPUs hold one copy of the model, and the job has {self.world}: "
                "choose --nodes, --tensor and --pipeline so that the first divides the second."
            )
        return ""
