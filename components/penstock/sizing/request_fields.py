"""The fields of a request as texts: read, checked against each other and the catalogue all at once, and filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from penstock.catalog.sizing_assumptions import assumed
from penstock.core.spelling import near_matches, suggestion
from penstock.core.wording import did_you_mean
from penstock.sizing import quantities
from penstock.sizing.batches import batch_of
from penstock.sizing.request import DAY_S, RequestProblem, ServedLoad, SizingRequest, Task
from penstock.sizing.shape import VOCABULARY, shape_of


def _whole(text: str) -> int:
    value = quantities.count(text)
    if value != int(value):
        raise ValueError(f"{text!r} is not a whole number")
    return int(value)


def _utilisation(text: str) -> float:
    value = quantities.share(text)
    if value == 0:
        raise ValueError(f"{text} is not above 0")
    return value


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise _NotOneOf(text, words)
        return text

    return read


class _NotOneOf(ValueError):
    """A text that is none of the words of its field, and the word that was meant, if one is near."""

    def __init__(self, text: str, words: tuple[str, ...]) -> None:
        super().__init__(f"{text!r} must be one of {', '.join(words)}")
        start = next((each for each in words if text.startswith(each)), None)
        self.hint = suggestion([start]) if start is not None else did_you_mean(text, list(words))
        if text == "qlora":
            self.hint = "Did you mean lora? QLoRA is lora with precision nf4 or int4."


def _yes(text: str) -> bool:
    return _one_of("true", "false")(text.lower()) == "true"


_TUNING_BATCH = 2.0**18
_YEARS: Final = (1, 3)
_BOUNDED: Final = {"parameters": "parameters", "active": "parameters", "tokens": "tokens"}
"""Fields whose least and most `sizing_assumptions` has, by what they count."""
_MEANT: Final = "B"
"""The unit that was meant where the number is small."""
_UNITS: Final = {"deadline": "d", "dataset": "TB", "token_latency": "ms", "first_token": "ms"}
"""The units that people leave out."""
_SHARES: Final = {
    "mfu": "A utilisation such as 0.38 or 38%.",
    "reserved": "A share such as 0.6 or 60%.",
    "spot": "A share such as 0.2 or 20%.",
}
_FEWEST_PERCENT, _PERCENT = 2, 100
"""Numbers between which a share was meant in percent; below are shares that are too large."""
_SAID: Final = {"active": "active parameters"}
_LEAST: Final = {"hidden": 256, "sequence": 16}
_TRAINING: Final = (Task.TRAIN, Task.FINETUNE, Task.LORA)
_TASKS_OF: Final[Mapping[tuple[str, ...], tuple[Task, ...]]] = {
    ("tokens", "sequence", "batch", "micro_batch", "optimizer", "recompute"): _TRAINING,
    ("deadline", "accelerators", "mfu", "dataset"): _TRAINING,
    ("lora_rank",): (Task.LORA,),
    ("requests_per_second", "input_tokens", "output_tokens", "token_latency", "first_token"): (Task.SERVE,),
}
"""The tasks that a field belongs to; fields that are not here belong to all."""
_PRECISIONS: Final[Mapping[Task, tuple[str, ...]]] = {
    Task.TRAIN: ("bf16", "fp8"),
    Task.FINETUNE: ("bf16", "fp8"),
    Task.LORA: ("bf16", "fp8", "int4", "nf4"),
    Task.SERVE: ("bf16", "fp8", "int8", "fp4", "int4"),
}
OPTIMIZERS: Final = ("adamw", "adamw-bf16-gradients", "adamw-8bit")
FIELDS: Final[Mapping[str, Callable[[str], Any]]] = {
    "name": str,
    "task": _one_of(*Task),
    "parameters": quantities.count,
    "active": quantities.count,
    "experts": _whole,
    "experts_per_token": _whole,
    "layers": _whole,
    "hidden": _whole,
    "heads": _whole,
    "kv_heads": _whole,
    "vocabulary": _whole,
    "tokens": quantities.count,
    "sequence": _whole,
    "batch": quantities.count,
    "micro_batch": _whole,
    "precision": _one_of(*dict.fromkeys(each for several in _PRECISIONS.values() for each in several)),
    "optimizer": _one_of(*OPTIMIZERS),
    "recompute": _one_of("auto", "none", "full"),
    "deadline": quantities.seconds,
    "cloud": str,
    "region": str,
    "accelerator": str,
    "accelerators": _whole,
    "machine_type": str,
    "mfu": _utilisation,
    "dataset": quantities.size,
    "reserved": quantities.share,
    "spot": quantities.share,
    "years": _whole,
    "lora_rank": _whole,
    "requests_per_second": quantities.count,
    "input_tokens": _whole,
    "output_tokens": _whole,
    "token_latency": quantities.latency,
    "first_token": quantities.latency,
    "on_premises": _yes,
}
"""Every field by its name, and how its text is read. Options have hyphens where these have underscores."""


def request_of(given: Mapping[str, str]) -> SizingRequest | list[RequestProblem]:
    """The request that some texts make, or everything that is wrong with them."""
    values, problems = _read(given)
    unread = {each.field for each in problems}
    problems += [each for each in _contradictions(values) if each.field not in unread]
    if problems:
        return problems
    return _filled(values)


def _read(given: Mapping[str, str]) -> tuple[dict[str, Any], list[RequestProblem]]:
    values: dict[str, Any] = {}
    problems: list[RequestProblem] = []
    for name, text in given.items():
        key = name.replace("-", "_")
        if key not in FIELDS:
            hint = suggestion(near_matches(key, FIELDS)) or f"Known: {', '.join(FIELDS)}."
            problems.append(RequestProblem(key, f"{name!r} is not a field of a sizing request.", hint))
            continue
        try:
            values[key] = FIELDS[key](text)
        except ValueError as error:
            hint = error.hint if isinstance(error, _NotOneOf) else _meant(key, text.strip())
            problems.append(RequestProblem(key, f"{error}.", hint))
    return values, problems


def _meant(key: str, text: str) -> str:
    """The meaning of a bare number: with the unit that most people leave out, or as a share in percent."""
    number = float(text) if text.replace(".", "", 1).isdigit() else 0.0
    if key in _SHARES:
        return suggestion([f"{text}%"]) if _FEWEST_PERCENT <= number <= _PERCENT else _SHARES[key]
    return suggestion([f"{text}{_UNITS[key]}"]) if key in _UNITS and number else ""


def _contradictions(values: Mapping[str, Any]) -> list[RequestProblem]:
    found = [
        *_missing(values),
        *_of_other_tasks(values),
        *_implausible(values),
        *_mixture(values),
        *_shape(values),
        *_limits(values),
    ]
    wrong = {each.field for each in found}
    known = {name: value for name, value in values.items() if name not in wrong}
    return found + ([] if "cloud" in wrong else _unknown_names(known))


def _missing(values: Mapping[str, Any]) -> Iterator[RequestProblem]:
    task = values.get("task", Task.TRAIN)
    if "parameters" not in values:
        yield RequestProblem("parameters", "The number of parameters is missing.", "Give it as 2B, 70B or 671B.")
    if task in {Task.FINETUNE, Task.LORA} and "tokens" not in values:
        hint = "Examples × tokens of each × epochs."
        yield RequestProblem("tokens", "The tokens to fine-tune on are missing.", hint)
    if task == Task.SERVE and "requests_per_second" not in values:
        yield RequestProblem("requests_per_second", "The load is missing.", "Requests a second at the peak, such as 5.")


def _implausible(values: Mapping[str, Any]) -> Iterator[RequestProblem]:
    """Counts without the unit that was meant, and more than anybody has."""
    for name, counted in _BOUNDED.items():
        least, most, value = assumed(f"least_{counted}"), assumed(f"most_{counted}"), values.get(name)
        if value is not None and value < least:
            hint = suggestion([f"{value:g}{_MEANT}"])
            yield RequestProblem(name, f"{value:,.6g} {_SAID.get(name, name)} are fewer than {least:,.0f}.", hint)
        elif value is not None and value > most:
            message = f"{value:.3g} {_SAID.get(name, name)} are more than {most:.0e}, which nobody has."
            yield RequestProblem(name, message, "Give it as 70B or 1.4T.")

    most = assumed("most_accelerators")
    if values.get("accelerators", 0) > most:
        message = f"{values['accelerators']:,} are more than {most:,.0f}, the largest job that a cloud has shown."
        yield RequestProblem("accelerators", message, f"At most {most:,.0f}.")


def _of_other_tasks(values: Mapping[str, Any]) -> Iterator[RequestProblem]:
    """Fields that would change nothing."""
    task = Task(values.get("task", Task.TRAIN))
    for fields, tasks in _TASKS_OF.items():
        for name in fields:
            if name in values and task not in tasks:
                yield RequestProblem(name, f"{name} means nothing for {task}.", f"It belongs to {', '.join(tasks)}.")


def _mixture(values: Mapping[str, Any]) -> Iterator[RequestProblem]:
    active, parameters = values.get("active"), values.get("parameters")
    if active is not None and parameters is not None and active > parameters:
        yield RequestProblem("active", "More parameters are active than there are.", "Give all of them as parameters.")
    share = values.get("experts_per_token", 1) / values.get("experts", 1)
    if (
        "experts" in values
        and active is not None
        and parameters
        and active < parameters * share * assumed("active_of_experts")
    ):
        message = f"{share:.0%} of the experts work on a token, and {active / parameters:.2%} of the parameters."
        yield RequestProblem("active", message, "Give what works on one token, attention included.")
    if (active is not None) != ("experts" in values) and active != parameters:
        missing = "experts" if active is not None else "active"
        hint = "A mixture of experts has active parameters, experts and experts per token."
        yield RequestProblem(missing, f"{missing} is missing.", hint)
    if values.get("experts_per_token", 1) >= values.get("experts", 2):
        yield RequestProblem("experts_per_token", "All experts would work on every token.", "Fewer than experts.")


def _shape(values: Mapping[str, Any]) -> Iterator[RequestProblem]:
    """A shape that no transformer has, or not one of so many parameters."""
    hidden, heads, kv_heads, layers = (values.get(name) for name in ("hidden", "heads", "kv_heads", "layers"))
    if hidden is not None and heads is not None and hidden % heads:
        yield RequestProblem("heads", f"{heads} heads do not divide a width of {hidden}.", "One that divides hidden.")
    if heads is not None and kv_heads is not None and heads % kv_heads:
        message = f"{kv_heads} heads of keys and values do not divide {heads} heads."
        yield RequestProblem("kv_heads", message, "One that divides heads.")
    if hidden is not None and values.get("lora_rank", 0) > hidden:
        message = f"A rank of {values['lora_rank']} is more than the width of {hidden}."
        yield RequestProblem("lora_rank", message, "Ranks are 8 to 256 for most.")
    if "batch" in values and "sequence" in values and values["batch"] < values["sequence"]:
        message = f"A batch of {values['batch']:,.0f} tokens holds no sequence of {values['sequence']:,}."
        yield RequestProblem("batch", message, "The tokens between two updates, such as 4M.")
    given = values.get("active", values.get("parameters"))
    together = values.get("micro_batch", 1) * values.get("sequence", assumed("sequence"))
    if "micro_batch" in values and "batch" in values and together > values["batch"]:
        message = f"{values['micro_batch']:,} sequences at once are more than a batch of {values['batch']:,.0f} tokens."
        yield RequestProblem("micro_batch", message, "Sequences of one replica at once, such as 1.")
    if hidden is None or layers is None or given is None:
        return
    of_shape = 12 * layers * hidden**2 + 2 * values.get("vocabulary", VOCABULARY) * hidden
    spread = assumed("shape_spread")
    if not given / spread <= of_shape <= given * spread:
        has, said = (f"{count / 1e9:,.3g}B" for count in (of_shape, given))
        message = f"{layers} layers of width {hidden:,} have about {has} parameters, not {said}."
        yield RequestProblem("layers", message, "Correct parameters, layers or hidden.")


def _limits(values: Mapping[str, Any]) -> Iterator[RequestProblem]:
    from penstock.providers import sized_clouds

    task = Task(values.get("task", Task.TRAIN))
    if values.get("precision", "bf16") not in _PRECISIONS[task]:
        message = f"{values['precision']} is not a precision of {task}."
        yield RequestProblem("precision", message, f"One of {', '.join(_PRECISIONS[task])}.")
    if values.get("reserved", 0) + values.get("spot", 0) > 1:
        yield RequestProblem("spot", "Reserved and spot together are more than all machines.", "At most 1 together.")
    if values.get("years", 1) not in _YEARS:
        yield RequestProblem("years", f"{values['years']} years are not sold.", "1 or 3.")
    clouds = sized_clouds()
    if values.get("cloud", clouds[0]) not in clouds:
        yield RequestProblem("cloud", f"{values['cloud']!r} is not a cloud.", f"One of {', '.join(clouds)}.")
    elif "region" in values and "cloud" not in values:
        yield RequestProblem("region", "A region belongs to a cloud.", "Give the cloud, too.")
    for name, limit in _LEAST.items():
        if name in values and values[name] < limit:
            yield RequestProblem(name, f"{values[name]} is too small for {name}.", f"At least {limit}.")


def _unknown_names(values: Mapping[str, Any]) -> list[RequestProblem]:
    """What the catalogue does not have: regions, accelerators, machine types."""
    from penstock.catalog import regions
    from penstock.catalog.chips import find_chip
    from penstock.core.errors import UnknownFact

    found: list[RequestProblem] = []
    looks: list[tuple[str, Callable[[], object]]] = []
    if "region" in values and "cloud" in values:
        looks.append(("region", lambda: regions.find_region(values["region"], values["cloud"])))
    if "accelerator" in values:
        looks.append(("accelerator", lambda: find_chip(values["accelerator"])))
    if "machine_type" in values:
        found += _machine_problems(values["machine_type"], values.get("cloud"), values.get("accelerator"))
    for name, look in looks:
        try:
            look()
        except UnknownFact as error:
            found.append(RequestProblem(name, str(error)))
    return found


def _machine_problems(name: str, cloud: str | None, accelerator: str | None) -> list[RequestProblem]:
    from penstock.catalog import machines
    from penstock.providers import sized_clouds

    known = {each.machine_type: each for by in sized_clouds() for each in machines.machine_types(by)}
    machine = known.get(name)
    if machine is None:
        return [RequestProblem("machine_type", f"{name!r} is not a known machine type.", did_you_mean(name, [*known]))]
    if cloud not in (None, machine.cloud):
        message = f"{name} is a machine type of {machine.cloud}, not of {cloud}."
        return [RequestProblem("machine_type", message, f"Leave cloud out, or use {machine.cloud}.")]
    if accelerator not in (None, machine.accelerator):
        message = f"{name} has {machine.accelerator or 'no accelerator'}, not {accelerator}."
        return [RequestProblem("machine_type", message, "Leave one of the two out.")]
    return []


def _filled(values: Mapping[str, Any]) -> SizingRequest:
    from penstock.providers import sized_clouds

    parts = ("active", "layers", "hidden", "heads", "kv_heads", "vocabulary", "experts", "experts_per_token")
    shape = shape_of(values["parameters"], **{part: values[part] for part in parts if part in values})
    task = Task(values.get("task", Task.TRAIN))
    sequence = values.get("sequence", int(assumed("sequence")))
    trained = {Task.TRAIN: assumed("tokens_per_parameter") * shape.active}.get(task, 0.0)
    tuned = task in (Task.FINETUNE, Task.LORA)
    given_name = values.get("name", f"{task.value}-{_short(shape.parameters)}")
    traffic = None
    if task is Task.SERVE:
        traffic = ServedLoad(
            requests_per_second=values["requests_per_second"],
            input_tokens=values.get("input_tokens", 1000),
            output_tokens=values.get("output_tokens", 250),
            token_latency_s=values.get("token_latency", 0.05),
            first_token_s=values.get("first_token"),
        )
    return SizingRequest(
        name=given_name,
        task=task,
        shape=shape,
        tokens=values.get("tokens", trained),
        sequence=sequence,
        micro_batch=values.get("micro_batch", max(1, 8192 // sequence)),
        batch_tokens=values.get("batch", _TUNING_BATCH if tuned else batch_of(shape.parameters)),
        precision=values.get("precision", "bf16"),
        optimizer=values.get("optimizer", "adamw"),
        recompute=values.get("recompute", "auto"),
        deadline_s=values.get("deadline", (7 if tuned else 30) * DAY_S),
        clouds=(values["cloud"],) if "cloud" in values else sized_clouds(),
        region=values.get("region"),
        accelerator=values.get("accelerator"),
        accelerators=values.get("accelerators"),
        machine_type=values.get("machine_type"),
        mfu=values.get("mfu"),
        dataset_bytes=values.get("dataset"),
        reserved=values.get("reserved", 0.0),
        spot=values.get("spot", 0.0),
        years=values.get("years", 1),
        lora_rank=values.get("lora_rank", 16),
        traffic=traffic,
        on_premises=values.get("on_premises", False),
        defaulted=frozenset(set(FIELDS) - set(values)),
    )


def _short(parameters: float) -> str:
    billions = parameters / 1e9
    return f"{billions:.0f}b" if billions >= 1 else f"{parameters / 1e6:.0f}m"
