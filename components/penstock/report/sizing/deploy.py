"""DEPLOY: how to get there. Define, Estimate throughput, Pick, Load-test, Observe, Yield plan."""

from __future__ import annotations

from penstock.report.sizing.document import ReportSection, ReportTable
from penstock.report.sizing.economics import excluded_table
from penstock.report.sizing.numbers import counted, lasted, paid, part
from penstock.report.sizing.scale import speed_figures
from penstock.report.sizing.summary import alternatives, named, port_of, reason, speed_of
from penstock.sizing.quota_requests import quota_requests
from penstock.sizing.ranking import Choice, Ranking
from penstock.sizing.request import SizingRequest, Task
from penstock.sizing.serving import ServingPlan

_TOLERANCE = 0.9
_WORK = {
    Task.TRAIN: "pre-training",
    Task.FINETUNE: "fine-tuning of all weights",
    Task.LORA: "fine-tuning with LoRA",
    Task.SERVE: "serving",
}


def deploy_sections(request: SizingRequest, ranking: Ranking, choice: Choice) -> tuple[ReportSection, ...]:
    """The six steps."""
    return (
        _define(request),
        ReportSection(
            title="Estimate throughput", figures=tuple(speed_figures(request, choice)), sentences=_estimated(choice)
        ),
        _pick(ranking, choice),
        _load_test(choice),
        _observe(choice),
        _yield_plan(request, choice),
    )


def _define(request: SizingRequest) -> ReportSection:
    shape = request.shape
    limits = [f"clouds {', '.join(request.clouds)}", f"region {request.region or 'any'}"]
    if request.trains:
        limits.append(f"done in {lasted(request.deadline_s)}" if request.accelerators is None else "as fast as it goes")
    if request.accelerators is not None:
        limits.append(f"at most {request.accelerators:,} accelerators")
    work = (
        f"{_WORK[request.task][0].upper()}{_WORK[request.task][1:]} of {counted(shape.parameters)} parameters in "
        f"{request.precision}: {'; '.join(limits)}."
    )
    defaulted = sorted(request.defaulted & {"sequence", "batch", "precision", "optimizer", "deadline", "tokens"})
    taken = f"Taken because nobody gave them: {', '.join(defaulted)}." if defaulted and request.trains else ""
    return ReportSection(title="Define", sentences=tuple(each for each in (work, taken) if each))


def _estimated(choice: Choice) -> tuple[str, ...]:
    if isinstance(choice.plan, ServingPlan):
        plan = choice.plan
        return (
            (
                f"A replica answers {plan.replica_rate:.2f} requests a second; a token takes "
                f"{lasted(plan.token_seconds)}, the first {lasted(plan.first_token_seconds)}. Derived, not measured."
            ),
        )
    return ()


def _pick(ranking: Ranking, choice: Choice) -> ReportSection:
    if choice.usd is None:
        sentences = [f"{named(choice)} does it, {speed_of(choice)}; its price is not known."]
    else:
        sentences = [f"{named(choice)}: {paid(choice.usd)}, {speed_of(choice)}. {reason(ranking)}"]
    if choice.is_port:
        sentences.append(f"It takes a port to {port_of(choice)}")
    sentences += [f"{what[0].upper()}{what[1:]}: {found}" for what, found in alternatives(ranking, choice)]
    ways = tuple(dict.fromkeys((choice.offer.way, *(("spot",) if "spot" in choice.hardware.machine.sold else ()))))
    rows = tuple(
        (
            each.way.replace("_", " "),
            each.quota.code if each.quota is not None else "none is known",
            each.quota.name if each.quota is not None else "",
            f"{each.amount:,} {each.unit}",
        )
        for each in quota_requests(choice, ways)
    )
    quotas = ReportTable(
        title=f"Quotas to ask for in {choice.offer.region}, for these machines alone; new accounts often have 0",
        heads=("bought", "quota", "name", "needed"),
        rows=rows,
    )
    tables = tuple(each for each in (quotas, excluded_table(ranking)) if each.rows)
    return ReportSection(title="Pick", sentences=tuple(sentences), tables=tables)


def _load_test(choice: Choice) -> ReportSection:
    plan = choice.plan
    if isinstance(plan, ServingPlan):
        return ReportSection(
            title="Load-test",
            sentences=(
                (
                    f"One replica with {plan.batch} sequences at once: at least "
                    f"{plan.replica_rate * _TOLERANCE:.2f} requests/s, at most "
                    f"{lasted(plan.token_seconds / _TOLERANCE)} between tokens. Then the peak for an hour, with one "
                    "replica stopped."
                ),
            ),
        )
    sentences = []
    if plan.nodes > 1:
        sentences.append(
            "First the fabric: an all-reduce over all machines (nccl-tests) reaches "
            f"{part(_TOLERANCE)} of what this report assumes, or the job is not started."
        )
    sentences += [
        (
            f"Then 100 steps{f' on one machine, and on all {plan.nodes:,}' if plan.nodes > 1 else ''}: at least "
            f"{plan.tokens_per_second * _TOLERANCE:,.0f} tokens/s together, an MFU of "
            f"{part(plan.placement.mfu * _TOLERANCE)}."
        ),
        (
            f"Then a checkpoint: stored in {lasted(plan.checkpoint.write_seconds)}, and read back after a stop on "
            "purpose."
        ),
    ]
    return ReportSection(title="Load-test", sentences=tuple(sentences))


def _observe(choice: Choice) -> ReportSection:
    plan = choice.plan
    if isinstance(plan, ServingPlan):
        sentences = (
            (
                "Watch: requests waiting, time to the first token, time between tokens, caches in use, tokens/s of "
                "a replica."
            ),
            "Scale out when requests wait; a replica that is full is not slow, it is late.",
        )
        return ReportSection(title="Observe", sentences=sentences)
    sentences = (
        (
            f"Watch: tokens/s (expected {plan.tokens_per_second:,.0f}), MFU (expected {part(plan.placement.mfu)}), "
            "time of a "
            f"checkpoint, stops (expected one every {lasted(plan.interruptions.mtbf_s)}), XID and ECC errors, "
            "retries of the "
            "fabric."
        ),
        "`addons.observability` and `addons.health` of the description collect them.",
    )
    return ReportSection(title="Observe", sentences=sentences)


def _yield_plan(request: SizingRequest, choice: Choice) -> ReportSection:
    sentences = [
        (
            "`--write stacks/Pulumi.NAME.yaml` writes the platform of this choice; `penstock rehearse NAME` plays "
            "it before "
            "anything is paid."
        )
    ]
    if request.trains:
        sentences.append("What the load test measures goes in again: `--mfu 0.38` replaces the derived utilisation.")
    if choice.usd is not None and not (request.reserved or request.spot):
        sentences.append(
            "`--reserved` and `--spot` price a mix; reserve only what is busy for longer than its break-even."
        )
    return ReportSection(title="Yield plan", sentences=tuple(sentences))
