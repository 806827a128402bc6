"""Published serving benchmarks, from tools/serving_runs.csv, and the time that is derived for each.

The column `measured` says what a benchmark gives:

- tokens_s: tokens written in a second by one replica, with the batch that is given or with as many sequences as fit.
- request_s: the time of one whole batch.
- first_token_ms: the time to the first token of one prompt.
- token_ms: the time between two tokens.

The fit sees the rows marked `fit` only: one dense model and one mixture of experts of one source, prompts on A100, and
one model on MI300X. All others are held out.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from penstock.catalog.chips import find_chip
from penstock.catalog.links import link_of
from penstock.core.quantities import GIB
from penstock.sizing.memory import serving_memory, usable_memory
from penstock.sizing.serving_speed import Replica, ServingEfficiency
from penstock.sizing.shape import ModelShape, shape_of

RUNS = Path(__file__).parent / "serving_runs.csv"
MODELS = Path(__file__).parent / "serving_models.csv"
MOST_SEQUENCES: Final = 2048
"""The most sequences at once where a benchmark gives no batch: the default of TensorRT-LLM."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingRun:
    """A published benchmark of one replica.

    Attributes:
        batch: sequences at once; None for as many as fit.
        measured: what `value` is.
        held_out: whether the fit has not seen it.
    """

    model: str
    shape: ModelShape
    accelerator: str
    memory_gib: int
    tensor: int
    precision: str
    batch: int | None
    input_tokens: int
    output_tokens: int
    measured: str
    value: float
    held_out: bool
    source: str

    @property
    def title(self) -> str:
        """The run in a few words."""
        batch = f", batch {self.batch}" if self.batch is not None else ""
        lengths = f"{self.input_tokens}/{self.output_tokens}"
        return f"{self.model} {self.precision}, {self.tensor} × {self.accelerator}, {lengths}{batch}"

    def ratio(self, efficiency: ServingEfficiency, relative: Mapping[str, float]) -> float:
        """The derived time over the published one; of accelerators in `relative`, with that share of their peak."""
        prompt, step, batch = self._derived(efficiency, relative)
        whole = batch * prompt + step * self.output_tokens
        if self.measured == "tokens_s":
            return self.value * whole / (batch * self.output_tokens)
        derived = {"request_s": whole, "first_token_ms": (prompt + step) * 1000, "token_ms": step * 1000}
        return derived[self.measured] / self.value

    def _derived(self, efficiency: ServingEfficiency, relative: Mapping[str, float]) -> tuple[float, float, int]:
        from dataclasses import replace

        chip = find_chip(self.accelerator)
        if self.accelerator in relative:
            chip = replace(chip, relative_serving=relative[self.accelerator])
        replica = Replica(
            shape=self.shape,
            chip=chip,
            link=link_of("", chip.link),
            tensor=self.tensor,
            precision=self.precision,
            efficiency=efficiency,
        )
        batch = self.batch or self._most()
        context = self.input_tokens + self.output_tokens / 2
        return replica.prompt_seconds(self.input_tokens), replica.step(batch, context).seconds, batch

    def _most(self) -> int:
        """The largest batch whose caches fit, all of their final length."""
        context, usable = self.input_tokens + self.output_tokens, usable_memory(self.memory_gib * GIB, trains=False)
        least, most = 1, MOST_SEQUENCES
        while least < most:
            middle = (least + most + 1) // 2
            held = serving_memory(
                self.shape, tensor=self.tensor, precision=self.precision, sequences=middle, context=context
            )
            least, most = (middle, most) if held.total <= usable else (least, middle - 1)
        return least


@cache
def serving_runs() -> tuple[ServingRun, ...]:
    """Every run, in the order of the table."""
    shapes = dict(_shapes())
    with RUNS.open(encoding="utf-8", newline="") as file:
        return tuple(
            ServingRun(
                model=row["model"],
                shape=shapes[row["model"]],
                accelerator=row["accelerator"],
                memory_gib=int(row["memory_gib"]),
                tensor=int(row["tensor"]),
                precision=row["precision"],
                batch=int(row["batch"]) if row["batch"] else None,
                input_tokens=int(row["input"]),
                output_tokens=int(row["output"]),
                measured=row["measured"],
                value=float(row["value"]),
                held_out=row["use"] != "fit",
                source=row["source"],
            )
            for row in csv.DictReader(file)
        )


def _shapes() -> list[tuple[str, ModelShape]]:
    with MODELS.open(encoding="utf-8", newline="") as file:
        return [
            (
                row["model"],
                shape_of(
                    float(row["parameters_b"]) * 1e9,
                    active=float(row["active_b"]) * 1e9,
                    layers=int(row["layers"]),
                    hidden=int(row["hidden"]),
                    heads=int(row["heads"]),
                    kv_heads=int(row["kv_heads"]),
                    experts=int(row["experts"]),
                    experts_per_token=int(row["experts_per_token"]),
                ),
            )
            for row in csv.DictReader(file)
        ]
