"""SCALE: what a model needs. Scale, Compute, Accelerator interconnect, Latency and locality, Economics."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog.chips import Chip
from penstock.catalog.failure_rates import failure_rate
from penstock.catalog.links import find_link
from penstock.catalog.machine_zones import zones_selling
from penstock.catalog.mfu_fit import coefficient
from penstock.catalog.regions import find_region
from penstock.catalog.serving_fit import serving_coefficient
from penstock.catalog.sizing_assumptions import assumed, assumption
from penstock.report.sizing.document import ReportFigure, ReportSection, assumed_figure
from penstock.report.sizing.numbers import counted, lasted, part, sized
from penstock.sizing.ranking import Choice
from penstock.sizing.request import ServedLoad, SizingRequest, Task
from penstock.sizing.serving import ServingPlan
from penstock.sizing.serving_speed import PRECISIONS
from penstock.sizing.training import TrainingPlan

FIT = "tools/fit_mfu.py: published runs"
_FEWEST_ZONES = 2
_ELSEWHERE = "put half of the replicas into another region, or give another --region or --machine-type."
_NEEDED = 1.05
"""A step that plain Ethernet makes longer than this needs a faster fabric."""


def scale_section(request: SizingRequest) -> ReportSection:
    """The model and the work."""
    shape = request.shape
    derived = f" (derived: {', '.join(each for each in shape.derived)})" if shape.derived else ""
    figures = [
        ReportFigure(
            what="model",
            value=f"{counted(shape.parameters)} parameters",
            how=f"{shape.layers} layers, hidden {shape.hidden}, {shape.heads} heads, {shape.kv_heads} of keys "
            "and values, "
            f"vocabulary {shape.vocabulary:,}{derived}",
            source="as given; width over depth as published models have it" if shape.derived else "as given",
        )
    ]
    if shape.mixture:
        figures.append(
            ReportFigure(
                what="mixture of experts",
                value=f"{counted(shape.active)} active",
                how=f"{shape.experts_per_token} of {shape.experts} experts for each token; experts hold "
                f"{counted(shape.expert_parameters)}",
                source="as given",
            )
        )
    if request.task is Task.SERVE:
        return ReportSection(title="Scale", figures=(*figures, *_load(request)))
    chinchilla = "20 tokens for each active parameter" if "tokens" in request.defaulted else "as given"
    flops = request.flops_per_token * request.tokens
    each = "4 N" if request.task is Task.LORA else "6 N"
    attention = "8" if request.task is Task.LORA else "12"
    figures += [
        ReportFigure(
            what="tokens",
            value=counted(request.tokens),
            how=chinchilla,
            source="Chinchilla" if "tokens" in request.defaulted else "",
            unverified="tokens" in request.defaulted,
        ),
        ReportFigure(
            what="computation",
            value=f"{flops:.2e} FLOP",
            how=f"tokens × ({each} + {attention} layers × hidden × sequence {request.sequence:,})",
            source="PaLM and llm-foundry count it so",
        ),
        ReportFigure(
            what="tokens of a step",
            value=counted(request.batch_tokens),
            how=_usual_batch(request) if "batch" in request.defaulted else "as given",
            source="GPT-3 and Llama papers" if "batch" in request.defaulted and request.task is Task.TRAIN else "",
            unverified="batch" in request.defaulted,
        ),
    ]
    return ReportSection(title="Scale", figures=tuple(figures))


def _usual_batch(request: SizingRequest) -> str:
    return "what runs of this size take" if request.task is Task.TRAIN else "what fine-tuning takes"


def _load(request: SizingRequest) -> Iterator[ReportFigure]:
    load = request.traffic
    if load is None:
        return
    yield ReportFigure(
        what="load",
        value=f"{load.requests_per_second:g} requests/s",
        how=f"{load.input_tokens:,} tokens read and {load.output_tokens:,} written by each, at most "
        f"{lasted(load.token_latency_s)} a token{_first(load)}",
        source="as given",
    )
    yield ReportFigure(
        what="tokens written",
        value=f"{load.requests_per_second * load.output_tokens:,.0f} tokens/s",
        how="requests × tokens written",
    )


def _first(load: ServedLoad) -> str:
    return f" and {lasted(load.first_token_s)} to the first" if load.first_token_s is not None else ""


def interconnect_section(choice: Choice) -> ReportSection:
    """What machines exchange, and whether a fast fabric is needed."""
    plan = choice.plan
    if isinstance(plan, ServingPlan):
        return _serving_interconnect(choice, plan)
    traffic = plan.placement.traffic
    if plan.nodes == 1:
        why = "All accelerators are in one machine, so that no fabric between machines is needed."
        return ReportSection(title="Accelerator interconnect", sentences=(why,))
    network = choice.hardware.network_gb_s
    rate = f"{network:,.0f} GB/s for each machine" if network else "a rate that is not known, taken as 100 Gbit/s"
    needed = traffic.ethernet_slowdown > _NEEDED
    verdict = (
        f"A fast fabric is needed: over 100 Gbit/s Ethernet a step would take {traffic.ethernet_slowdown:.1f} times as "
        "long as its computation."
        if needed
        else "A fast fabric is not needed: even over 100 Gbit/s Ethernet the exchange takes "
        f"{lasted(traffic.ethernet_seconds)} "
        f"and hides behind {lasted(traffic.compute_seconds)} of computation."
    )
    figures = (
        ReportFigure(
            what="sent by each machine in a step",
            value=sized(traffic.node_bytes),
            how=traffic.formula,
            source="NCCL's convention for rings",
        ),
        ReportFigure(
            what="exchange",
            value=lasted(traffic.seconds),
            how=f"at {rate}, of which {part(assumed('fabric_efficiency'))} are reached",
            source=choice.hardware.machine.source,
            unverified="network_gbps" in choice.hardware.machine.unverified,
        ),
        ReportFigure(
            what="exchange over 100 Gbit/s",
            value=lasted(traffic.ethernet_seconds),
            how="the same bytes on a network without RDMA",
        ),
        ReportFigure(
            what="computation of a step",
            value=lasted(traffic.compute_seconds),
            how=f"{part(assumed('overlap'))} of it can hide the exchange",
            source="general knowledge, not checked",
            unverified=True,
        ),
        ReportFigure(
            what="step over its computation",
            value=f"{traffic.slowdown:.2f}",
            how="1, and what of the exchange does not hide",
        ),
    )
    return ReportSection(title="Accelerator interconnect", sentences=(verdict,), figures=figures)


def _serving_interconnect(choice: Choice, plan: ServingPlan) -> ReportSection:
    """The links between the accelerators of a replica."""
    why = f"A replica stays inside one machine ({plan.tensor} of {choice.hardware.each} accelerators): no fast fabric."
    link = choice.hardware.link
    if plan.tensor == 1 or link is None:
        return ReportSection(title="Accelerator interconnect", sentences=(why,))
    if link.joins is not None and plan.tensor > link.joins and link.beyond is not None:
        link = find_link(link.beyond)
    figure = ReportFigure(
        what=f"sum over {plan.tensor} accelerators",
        value=f"{link.gb_s:g} GB/s",
        how=f"{link.title}, bus bandwidth of an all-reduce, and {link.latency_us:g} µs for each; two in each layer",
        source=f"{link.source}, {link.as_of}",
        unverified=bool(link.unverified),
    )
    return ReportSection(title="Accelerator interconnect", sentences=(why,), figures=(figure,))


def latency_section(request: SizingRequest, choice: Choice) -> ReportSection:
    """Data, checkpoints and storage; for serving the latency of tokens."""
    plan = choice.plan
    if isinstance(plan, ServingPlan):
        return _serving_latency(request, choice, plan)
    checkpoint, demand, storage = plan.checkpoint, plan.demand, choice.storage
    figures = [
        ReportFigure(
            what="data read",
            value=f"{sized(demand.read)}/s",
            how=f"{plan.tokens_per_second:,.0f} tokens/s × {assumed('bytes_per_token'):g} bytes"
            if request.dataset_bytes is None
            else f"{sized(demand.dataset)} once, in {lasted(plan.productive_seconds)}",
            source="ml-engineering, storage" if request.dataset_bytes is None else "as given",
        ),
        ReportFigure(
            what="checkpoint",
            value=sized(checkpoint.size),
            how=f"{checkpoint.bytes_per_parameter} bytes for each parameter that is trained",
            source="weights, master copy and both moments",
        ),
        ReportFigure(
            what="checkpoint every",
            value=lasted(plan.interruptions.interval_s),
            how=f"Young: sqrt(2 × a pause of {lasted(assumed('checkpoint_pause'))} × "
            f"{lasted(plan.interruptions.mtbf_s)} between stops), {lasted(checkpoint.write_seconds)} or more",
            source=f"Young 1974; {assumption('checkpoint_pause').source}",
        ),
        ReportFigure(
            what="checkpoint bandwidth",
            value=f"{sized(checkpoint.bandwidth)}/s",
            how=f"stored in {lasted(checkpoint.write_seconds)}, while training goes on",
            source="general knowledge, not checked",
        ),
    ]
    sentences = []
    if storage is not None:
        bought = (
            f"{storage.lustre_tib:g} TiB of Lustre at {storage.tier} MB/s for each TiB, in front of a bucket"
            if storage.lustre_tib
            else "a bucket"
        )
        sentences.append(f"Storage: {bought}, because {storage.why}.")
        if request.dataset_bytes is None:
            sentences.append("Text alone never needs fast storage; checkpoints, images, video and cold starts do.")
    zone = "one zone, in one placement group or reservation" if plan.nodes > 1 else "one zone"
    sentences.append(f"Machines and file system belong into {zone}: traffic between zones is slower and is billed.")
    return ReportSection(title="Latency and locality", sentences=tuple(sentences), figures=tuple(figures))


def _serving_latency(request: SizingRequest, choice: Choice, plan: ServingPlan) -> ReportSection:
    chip, precision = choice.hardware.chip, request.precision
    own = precision if precision in PRECISIONS else "bf16"
    reached, relative = serving_coefficient(f"compute_{own}"), chip.relative_serving or 1
    memory = serving_coefficient("memory")
    source = reached.source if relative == 1 else f"{reached.source}; {chip.title}: {chip.relative_serving_source}"
    unverified = bool(reached.unverified) or "relative_serving" in chip.unverified
    figures = (
        ReportFigure(
            what="time to a first token",
            value=lasted(plan.first_token_seconds),
            how=f"2 N × tokens read at {part(reached.value * relative)} of {chip.peak_tflops(precision):g} TFLOP/s "
            f"{own.upper()}, 2 layers × hidden × tokens² of attention, sums over accelerators, and one step; without "
            "queueing",
            source=source,
            unverified=unverified,
        ),
        ReportFigure(
            what="time between tokens, full batch",
            value=lasted(plan.token_seconds),
            how=f"weights and caches read at {part(memory.value)} of {chip.memory_gb_s:g} GB/s, the computation of "
            f"{plan.batch} sequences, sums over accelerators, and the prompts that are read in between",
            source=source,
            unverified=unverified,
        ),
        ReportFigure(
            what="time between tokens at this load",
            value=lasted(plan.load_token_seconds),
            how="the same with the fewest sequences at which the replicas answer the load",
        ),
        ReportFigure(
            what="answered by a replica",
            value=f"{plan.replica_rate:.2f} requests/s",
            how="batch / (tokens written × time between tokens)",
        ),
        assumed_figure("serving_target", "load of a replica"),
    )
    sentence = "Replicas belong into at least two zones, near those who ask: a round trip adds to each first token."
    region, machine_type = choice.offer.region or "", choice.hardware.machine_type
    if len(zones := zones_selling(machine_type, region, choice.cloud)) == 1:
        sentence += f" {region} is only known to sell {machine_type} in {zones[0]}: {_ELSEWHERE}"
    elif region and len(find_region(region, choice.cloud).zones) < _FEWEST_ZONES:
        sentence += f" {region} has no zones: {_ELSEWHERE}"
    return ReportSection(title="Latency and locality", sentences=(sentence,), figures=figures)


def _relative(chip: Chip) -> str:
    if chip.relative_mfu == 1:
        return f"{chip.title} as fitted ({chip.relative_mfu_source})"
    return (
        f"{chip.title} reaches {chip.relative_mfu:g} of what {chip.generation.upper()} does "
        f"({chip.relative_mfu_source})"
    )


def speed_figures(request: SizingRequest, choice: Choice) -> Iterator[ReportFigure]:
    """The derived utilisation, and the time that follows."""
    plan = choice.plan
    if not isinstance(plan, TrainingPlan):
        return
    chip, stops = choice.hardware.chip, plan.interruptions
    rate, restart = failure_rate(chip.generation), assumption("restart")
    yield ReportFigure(
        what="MFU",
        value=part(plan.placement.mfu),
        how=f"of {chip.bf16_tflops:g} TFLOP/s BF16; {_relative(chip)}" if "mfu" in request.defaulted else "as given",
        source=FIT if "mfu" in request.defaulted else "measured by the planner",
        unverified="relative_mfu" in chip.unverified or "bf16_tflops" in chip.unverified,
    )
    yield ReportFigure(
        what="throughput",
        value=f"{plan.tokens_per_second:,.0f} tokens/s",
        how=f"{plan.tokens_per_second / plan.accelerators:,.0f} for each accelerator",
    )
    yield ReportFigure(
        what="time without stops",
        value=lasted(plan.productive_seconds),
        how="computation / (accelerators × peak × MFU), and what of the exchange does not hide",
    )
    yield ReportFigure(
        what="lost to stops",
        value=part(stops.lost),
        how=f"pauses for checkpoints {part(stops.writing)}, repeating {part(stops.repeating)}, restarting "
        f"{part(stops.restarting)}; one node stops every {rate.node_mtbf_h:,.0f} h, a restart takes "
        f"{restart.value:g} {restart.unit}",
        source=f"stops: {rate.source}; restart: {restart.source}",
        unverified=bool(rate.unverified or restart.unverified),
    )
    yield ReportFigure(
        what="wall time",
        value=lasted(plan.wall_seconds),
        how=f"time without stops / (1 - lost), and {restart.value:g} {restart.unit} to start, as after a stop",
    )
    longer = calendar_factor(request)
    if longer is not None:
        yield ReportFigure(
            what="calendar time",
            value=f"{lasted(plan.wall_seconds)} to {lasted(plan.wall_seconds * longer)}",
            how=f"papers that give calendar days took {longer:.2f} times as long as training, with work beside it; the "
            "cost does not count machines that are kept so long",
            source=FIT,
            unverified=True,
        )
    if "mfu" in request.defaulted:
        fast, slow = coefficient("fast_tenth"), coefficient("slow_tenth")
        yield ReportFigure(
            what="range of it",
            value=f"{lasted(plan.wall_seconds * fast)} to {lasted(plan.wall_seconds * slow)}",
            how=f"four of five published runs took {fast:.2f} to {slow:.2f} times what is derived without their paper",
            source=FIT,
        )


def calendar_factor(request: SizingRequest) -> float | None:
    """Calendar days over days of training, as the papers of pre-training have them; None for other work."""
    return coefficient("calendar_time") if request.task is Task.TRAIN else None
