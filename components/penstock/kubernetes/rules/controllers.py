"""Workloads as a whole: selectors, restarts, schedules, counts, and what scales and protects them."""

from __future__ import annotations

import re

from penstock.graph.verdict import NOT_APPLICABLE, PASS, TypeMismatch, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import templates
from penstock.kubernetes.rules import selectors
from penstock.kubernetes.rules.containers import word
from penstock.kubernetes.rules.types import (
    AUTOSCALERS,
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    JOB,
    JOB_SET,
    REPLICA_SET,
    STATEFUL_SET,
)
from penstock.rules.checks import Absent, Either, Given, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_STANDING = (DEPLOYMENT, REPLICA_SET, STATEFUL_SET, DAEMON_SET)
_COUNTS = ("replicas", "parallelism", "completions", "backoffLimit", "minReadySeconds", "ttlSecondsAfterFinished")
_WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    CRON_JOB: {"concurrencyPolicy": ("Allow", "Forbid", "Replace")},
    JOB: {"completionMode": ("NonIndexed", "Indexed")},
    STATEFUL_SET: {"podManagementPolicy": ("OrderedReady", "Parallel")},
}
_STRATEGIES = {
    DEPLOYMENT: ("strategy", ("Recreate", "RollingUpdate")),
    STATEFUL_SET: ("updateStrategy", ("RollingUpdate", "OnDelete")),
    DAEMON_SET: ("updateStrategy", ("RollingUpdate", "OnDelete")),
}

_MACROS = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS: tuple[tuple[int, int, tuple[str, ...]], ...] = (
    (0, 59, ()),
    (0, 23, ()),
    (1, 31, ()),
    (1, 12, _MONTHS),
    (0, 6, _DAYS),
)
"""Minute, hour, day, month and day of the week: the least, the most, and names for the numbers."""
_RANGE = re.compile(r"(\*|\?|\w+)(?:-(\w+))?(?:/(\d+))?")


@RULES.rule(
    on=_STANDING,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set spec.selector.matchLabels to labels that spec.template.metadata.labels has.",
    sources=("Kubernetes API reference, DeploymentSpec: selector",),
)
def k8s_workload_selector_matches(workload: View) -> Verdict:
    """The selector of a workload matches the labels of its own pod template."""
    spec = workload.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    selector = spec.block("selector")
    if selector is None or not any(key in selector for key in ("matchLabels", "matchExpressions")):
        return fail("the workload has no selector", hint=_hint(workload), path="spec.selector")
    return each(
        templates(workload),
        lambda pods: allow(
            selectors.chooses(selector, pods.labels),
            f"the selector chooses none of the template's pods, whose labels are {_shown(pods.labels)}",
            hint=_hint(workload),
            path="spec.selector",
        ),
    )


@RULES.rule(
    on=(*_STANDING, JOB, CRON_JOB, JOB_SET),
    severity=HIGH,
    rationale=(
        "The API server rejects the object, also a Job or CronJob that leaves restartPolicy at its default Always."
    ),
    fix=(
        "Set restartPolicy to OnFailure or Never in a Job, CronJob or JobSet, and to Always or nothing in any other "
        "workload."
    ),
    sources=("Kubernetes API reference, PodSpec: restartPolicy",),
)
def k8s_restart_policy_fits_kind(workload: View) -> Verdict:
    """The restartPolicy of pods is OnFailure or Never in jobs, and Always in all other workloads."""
    ends = workload.type in (JOB, CRON_JOB, JOB_SET)
    allowed = ("OnFailure", "Never") if ends else ("Always",)
    unsaid = "OnFailure" if workload.type == JOB_SET else "Always"
    return each(
        templates(workload),
        lambda pods: allow(
            (pods.spec.text("restartPolicy") or unsaid) in allowed,
            f"restartPolicy is {pods.spec.text('restartPolicy') or 'Always, as it is not given'}",
            hint=f"Set it to {' or '.join(allowed)}.",
            path=pods.spec.at("restartPolicy"),
        ),
    )


@RULES.rule(
    on=CRON_JOB,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Write spec.schedule as minute, hour, day, month and day of the week, such as '0 3 * * *', and the time zone "
        "in spec.timeZone."
    ),
    sources=("Kubernetes documentation, CronJob: schedule syntax", "robfig/cron 3"),
)
def k8s_cronjob_schedule_valid(job: View) -> Verdict:
    """The schedule of a cron job has five fields with numbers in their ranges, or is a macro such as @daily."""
    spec = job.block("spec")
    schedule = spec.text("schedule") if spec is not None else None
    if schedule is None:
        return NOT_APPLICABLE
    return allow(
        _is_schedule(schedule),
        f"{schedule!r} is not a schedule",
        hint="Minute, hour, day, month, day of the week: such as '0 3 * * *'; the time zone goes into spec.timeZone.",
        path="spec.schedule",
    )


@RULES.rule(
    on=AUTOSCALERS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set spec.maxReplicas to 1 or more, and no lower than spec.minReplicas.",
    sources=("Kubernetes API reference, HorizontalPodAutoscalerSpec",),
)
def k8s_hpa_replica_range(autoscaler: View) -> Verdict:
    """The maxReplicas of an autoscaler is at least 1 and at least its minReplicas."""
    spec = autoscaler.block("spec")
    most = spec.integer("maxReplicas") if spec is not None else None
    if spec is None or most is None:
        return NOT_APPLICABLE
    least = spec.integer("minReplicas")
    least = 1 if least is None else least
    return allow(
        0 <= least <= most and most > 0,
        f"the autoscaler goes from {least} to {most} replicas",
        hint=f"Set maxReplicas to {max(least, 1)} or more.",
        path="spec.maxReplicas",
    )


RULES.row(
    "k8s-pdb-single-bound",
    "A disruption budget sets minAvailable or maxUnavailable, not both.",
    on=DISRUPTION_BUDGET,
    check=Where(Given("spec"), Either(Absent("spec.maxUnavailable"), Absent("spec.minAvailable"))),
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Keep either spec.minAvailable or spec.maxUnavailable.",
    sources=("Kubernetes documentation, disruption budgets",),
)


@RULES.rule(
    on=(*_STANDING, JOB, CRON_JOB),
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set the count to 0 or more, and completions beside spec.parallelism in a job with completionMode Indexed.",
    sources=("kubernetes/kubernetes validation of apps", "kubernetes/kubernetes validation of batch"),
)
def k8s_workload_counts_valid(workload: View) -> Verdict:
    """Numbers of replicas, retries and seconds are not negative, and an indexed job in parallel has completions."""
    spec = workload.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    inner = spec.block("jobTemplate") if workload.type == CRON_JOB else None
    spec = (inner.block("spec") if inner is not None else None) or spec
    # Without either of the two, both are 1.
    if spec.text("completionMode") == "Indexed" and "parallelism" in spec and "completions" not in spec:
        return fail("the indexed job has no completions", hint="Say how many.", path=spec.at("completions"))
    return each((key for key in _COUNTS if key in spec), lambda key: _counts(spec, key))


@RULES.rule(
    on=tuple({*_WORDS, *_STRATEGIES}),
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Use a value of the API, leave rollingUpdate out beside Recreate, and set maxSurge or maxUnavailable to 1 or "
        "more."
    ),
    sources=("Kubernetes API reference, apps/v1 and batch/v1",),
)
def k8s_workload_strategy_valid(workload: View) -> Verdict:
    """Update strategies and policies of workloads are values of the API, and an update may replace some pod."""
    spec = workload.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    words = [word(spec, key, allowed) for key, allowed in _WORDS.get(workload.type, {}).items()]
    return together([*words, _strategy(workload, spec)])


def _strategy(workload: View, spec: Block) -> Verdict:
    key, allowed = _STRATEGIES.get(workload.type, ("", ()))
    strategy = spec.block(key)
    if strategy is None:
        return NOT_APPLICABLE
    rolling = strategy.block("rollingUpdate")
    if rolling is not None and strategy.text("type") == "Recreate":
        return fail(
            "a Recreate strategy takes no rollingUpdate", hint="Leave it out.", path=strategy.at("rollingUpdate")
        )
    if rolling is not None and workload.type == DEPLOYMENT and _none(rolling, "maxSurge"):
        return allow(
            not _none(rolling, "maxUnavailable"),
            "maxSurge and maxUnavailable are both 0, so that no pod may be replaced",
            hint="Set one of them to 1.",
            path=strategy.at("rollingUpdate"),
        )
    said = word(strategy, "type", allowed)
    return PASS if said is NOT_APPLICABLE else said


def _none(rolling: Block, key: str) -> bool:
    return rolling.value(key) in (0, "0", "0%")


def _counts(spec: Block, key: str) -> Verdict:
    value = spec.integer(key)
    return allow(value is None or value >= 0, f"{key} is {value}", hint="0 or more.", path=spec.at(key))


def _hint(workload: View) -> str:
    labels = next((pods.labels for pods in templates(workload)), {})
    return f"Set selector.matchLabels to {_shown(labels)}." if labels else "Give template and selector one label."


def _shown(labels: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in labels.items()) + "}"


def _is_schedule(schedule: str) -> bool:
    if schedule in _MACROS:
        return True
    if schedule.startswith("@every "):
        return bool(re.fullmatch(r"@every (\d+(\.\d+)?(h|m|s|ms))+", schedule))
    fields = schedule.split()
    return len(fields) == len(_FIELDS) and all(
        _is_field(part, *limits) for field, limits in zip(fields, _FIELDS, strict=True) for part in field.split(",")
    )


def _is_field(part: str, least: int, most: int, words: tuple[str, ...]) -> bool:
    found = _RANGE.fullmatch(part)
    if found is None:
        return False
    start, end, step = found.groups()
    if step is not None and int(step) == 0:
        return False
    if start in ("*", "?"):
        return end is None
    try:
        first = _number(start, least, words)
        last = first if end is None else _number(end, least, words)
    except TypeMismatch:
        return False
    return least <= first <= last <= most


def _number(text: str, least: int, words: tuple[str, ...]) -> int:
    if text.isdigit():
        return int(text)
    if text.lower() in words:
        return words.index(text.lower()) + least
    raise TypeMismatch
