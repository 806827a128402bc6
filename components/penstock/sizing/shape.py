"""The shape of a transformer: what its memory and its computation follow from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil

VOCABULARY = 50_000
"""Entries of the vocabulary where nobody says how many; those of GPT-2 and of the worked example."""

_WIDTH_OVER_DEPTH, _AT_PARAMETERS, _GROWTH = 110, 2e9, 0.045
"""Hidden size over layers: 110 at 2B, 129 at 70B, 140 at 405B. Published models: 80 to 134, large ones 102 to 192."""
_HIDDEN_STEP = 256
_HEAD = 128
_KV_HEADS = 8


@dataclass(frozen=True, kw_only=True)
class ModelShape:
    """A decoder-only transformer.

    Attributes:
        parameters: all of them.
        active: those that work on one token; fewer than `parameters` for a mixture of experts.
        layers: blocks of attention and feed-forward network.
        hidden: width of the stream between blocks.
        heads: attention heads.
        kv_heads: heads of keys and values, fewer than `heads` with grouped queries.
        vocabulary: entries of the vocabulary.
        experts: experts of each layer; 1 for a dense model.
        experts_per_token: how many of them work on one token.
        derived: the attributes that nobody gave, and that follow from the number of parameters.
    """

    parameters: float
    active: float
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    vocabulary: int
    experts: int = 1
    experts_per_token: int = 1
    derived: tuple[str, ...] = ()

    @property
    def mixture(self) -> bool:
        """Whether it is a mixture of experts."""
        return self.experts > 1

    @cached_property
    def expert_parameters(self) -> float:
        """The parameters that experts hold together, which expert parallelism can spread; 0 for a dense model."""
        if not self.mixture:
            return 0.0
        one = (self.parameters - self.active) / (self.experts - self.experts_per_token)
        return min(self.parameters, one * self.experts)

    @property
    def shared_parameters(self) -> float:
        """The parameters that work on every token."""
        return self.parameters - self.expert_parameters

    @property
    def kv_width(self) -> float:
        """Width of the keys (or values) of one token in one layer."""
        return self.hidden * self.kv_heads / self.heads

    def training_flops(self, sequence: int) -> float:
        """Operations to train on one token: 6 for each active parameter, and 12 L h s of attention.

        PaLM and llm-foundry, whose utilisation is the measured one, count so; a causal mask is not counted off.
        """
        return 6 * self.active + 12 * self.layers * self.hidden * sequence

    def forward_flops(self) -> float:
        """Operations of the parameters to read or to write one token; that of attention comes beside it."""
        return 2 * self.active

    def attention_flops(self, tokens: float) -> float:
        """Operations of causal attention over one prompt: scores and values, each for half of all pairs of tokens."""
        return 2 * self.layers * self.hidden * tokens**2

    def working_parameters(self, sequences: int) -> float:
        """The parameters that so many sequences together work with in one step, if each takes experts at random."""
        idle = (1 - self.experts_per_token / self.experts) ** sequences if self.mixture else 0.0
        return self.shared_parameters + self.expert_parameters * (1 - idle)


def shape_of(
    parameters: float,
    *,
    active: float | None = None,
    layers: int | None = None,
    hidden: int | None = None,
    heads: int | None = None,
    kv_heads: int | None = None,
    vocabulary: int | None = None,
    experts: int = 1,
    experts_per_token: int = 1,
) -> ModelShape:
    """The shape of a model, with what nobody says derived from the number of parameters.

    A block has 12 h² parameters, and width over depth grows slowly with the parameters, as in published models; so both
    grow with nearly their cube root. A mixture of experts has the shape of a dense model of its active
    parameters.
    """
    working = active or parameters
    words = vocabulary or VOCABULARY
    width, depth = _width_and_depth(working, words, hidden, layers)
    attention = heads or max(1, ceil(width / _HEAD))
    kv = kv_heads or min(_KV_HEADS, attention)
    given = {"active": active, "layers": layers, "hidden": hidden, "heads": heads, "kv_heads": kv_heads}
    derived = tuple(name for name, value in {**given, "vocabulary": vocabulary}.items() if value is None)
    return ModelShape(
        parameters=parameters,
        active=working,
        layers=depth,
        hidden=width,
        heads=attention,
        kv_heads=kv,
        vocabulary=words,
        experts=experts,
        experts_per_token=experts_per_token,
        derived=tuple(name for name in derived if name != "active" or experts > 1),
    )


def _width_and_depth(working: float, words: int, hidden: int | None, layers: int | None) -> tuple[int, int]:
    """Hidden size and layers; neither ever shrinks as parameters grow, so that memory never does."""
    ratio = _WIDTH_OVER_DEPTH * (working / _AT_PARAMETERS) ** _GROWTH
    exact = (working * ratio / 12) ** (1 / 3)
    if hidden is not None:
        left = max(0.0, working - words * hidden)
        return hidden, layers or max(1, round(left / (12 * hidden * hidden)))
    if layers is not None:
        exact = (working / (12 * layers)) ** 0.5
    width = max(_HIDDEN_STEP, round(exact / _HIDDEN_STEP) * _HIDDEN_STEP)
    return width, layers or max(1, round(exact / ratio))
