"""No accelerator is filled to its last byte: drivers, fragments and servers keep a part of the nominal memory."""

from __future__ import annotations

import pytest
from tests.sizing.requests import asked, hardware

from penstock.core.quantities import GIB
from penstock.report.sizing.forms import as_text
from penstock.report.sizing.report import sizing_document
from penstock.sizing.ranking import Choice, choice_of, ranking_of
from penstock.sizing.serving import ServingPlan

TUNED = {"task": "finetune", "parameters": "70.6B", "tokens": "100M", "machine_type": "p5.48xlarge"}


def test_less_than_a_driver_shows_of_80_gib_is_usable() -> None:
    machine = hardware("p5.48xlarge")

    assert machine.memory == 80 * GIB
    assert machine.usable(trains=True) / GIB == pytest.approx(77.4, abs=0.1)
    assert machine.usable(trains=False) / GIB == pytest.approx(71.1, abs=0.1)


def test_a_model_that_takes_the_nominal_memory_to_the_last_byte_does_not_fit() -> None:
    assert not ranking_of(asked(**TUNED, accelerators="16")).choices
    assert ranking_of(asked(**TUNED, accelerators="24")).choices


@pytest.mark.parametrize(
    "fields",
    [TUNED, {"parameters": "7B"}, {"parameters": "70B", "task": "serve", "requests_per_second": "5"}],
    ids=lambda fields: fields.get("task", "train"),
)
def test_every_choice_holds_no_more_than_is_usable(fields: dict[str, str]) -> None:
    for choice in ranking_of(asked(**fields)).choices:
        serves = isinstance(choice.plan, ServingPlan)
        memory = choice.plan.memory if isinstance(choice.plan, ServingPlan) else choice.plan.placement.memory
        assert memory.total <= choice.hardware.usable(trains=not serves) < choice.hardware.memory


def test_what_is_held_and_what_is_usable_have_one_unit() -> None:
    request = asked(**TUNED)
    assert isinstance(choice_of(request, hardware("p5.48xlarge")), Choice)
    lines = as_text(sizing_document(request, ranking_of(request))).splitlines()

    (held,) = [line for line in lines if line.startswith("held by each accelerator")]
    assert held.count(" GiB") == 2
    assert " GB" not in held
