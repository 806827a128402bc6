"""Prices from the clouds' price services, in the forms that they answer in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.catalog.price_services import aws, azure, google, serving

from penstock.catalog import price_overrides, prices
from penstock.catalog.price_lists.services import ask_service, write_prices
from penstock.core.errors import PriceServiceFailed
from penstock.gcp.cost.price_service import GOOGLE_KEY

KEY = "AIza-not-a-real-key"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where refreshed prices are; what was read before is forgotten, before and after."""
    monkeypatch.setenv(price_overrides.VARIABLE, str(tmp_path))
    _forget()
    yield tmp_path
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    prices.forget()


def test_aws_answers_for_machines_and_for_what_is_beside_them(folder: Path) -> None:
    before = prices.on_demand("p5.48xlarge", "eu-north-1", "aws")
    with serving(aws) as service:
        written = write_prices("aws", ask_service("aws", ["eu-north-1"], service.url), folder)
    prices.forget()

    machine = prices.on_demand("p5.48xlarge", "eu-north-1", "aws")
    volume = prices.service("aws", "ebs", "gp3 storage", "eu-north-1")
    assert [path.relative_to(folder).as_posix() for path, *_ in written] == ["aws/prices.csv", "services.csv"]
    assert before is not None
    assert machine is not None
    assert (before.usd, machine.usd, machine.as_of) == (58.8928, 54.9, "2026-11-14")
    assert volume is not None
    assert (volume.usd, volume.unverified, volume.source) == (0.0836, (), "AWS price list, AmazonEC2")
    assert prices.on_demand("p5.48xlarge", "us-east-1", "aws") is not None, "what was not asked for stays"


def test_azure_answers_page_by_page_always_from_the_host_that_was_asked(folder: Path) -> None:
    with serving(azure) as service:
        write_prices("azure", ask_service("azure", ["australiasoutheast"], service.url), folder)
    prices.forget()

    on_demand = prices.on_demand("Standard_D4ds_v5", "australiasoutheast", "azure")
    assert on_demand is not None
    assert on_demand.usd == 0.271
    assert not on_demand.stale
    assert len(service.requests) == 2
    assert "armRegionName+eq+%27australiasoutheast%27" in service.requests[0][0]


def test_google_takes_a_key_that_no_address_repeats(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(GOOGLE_KEY, KEY)
    with serving(google) as service:
        write_prices("gcp", ask_service("gcp", [], service.url), folder)
    prices.forget()

    machine = prices.on_demand("a2-highgpu-8g", "us-central1", "gcp")
    assert machine is not None
    assert machine.usd == pytest.approx(29.38708)
    assert all(KEY not in path for path, _ in service.requests)
    assert [headers["X-Goog-Api-Key"] for _, headers in service.requests] == [KEY, KEY]


def test_google_without_a_key_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(GOOGLE_KEY, raising=False)

    with serving(google) as service, pytest.raises(PriceServiceFailed, match=f"set {GOOGLE_KEY}"):
        ask_service("gcp", [], service.url)
    assert not service.requests


def test_a_second_refresh_keeps_what_the_first_one_wrote(folder: Path) -> None:
    with serving(aws) as service:
        fresh = ask_service("aws", ["eu-north-1"], service.url)
    first = write_prices("aws", fresh, folder)
    second = write_prices("aws", fresh, folder)

    assert [(changed, rows) for _, changed, rows in first] == [(3, 3), (3, 3)]
    assert [(changed, rows) for _, changed, rows in second] == [(0, 3), (0, 3)]


@pytest.mark.parametrize("status", [400, 403, 404, 429, 503])
def test_a_refusal_says_what_it_means(status: int) -> None:
    def refusing(_: str, __: Mapping[str, list[str]]) -> tuple[int, bytes]:
        return status, b"no"

    with serving(refusing) as service, pytest.raises(PriceServiceFailed, match=f"refused with status {status}"):
        ask_service("azure", ["eastus"], service.url)


@pytest.mark.parametrize("body", [b"<html>proxy</html>", b"[]", b'{"Items": []}', b'{"Items": [{"armRegionName": 1}]}'])
def test_another_form_is_no_price(body: bytes) -> None:
    with serving(lambda _, __: (200, body)) as service, pytest.raises(PriceServiceFailed, match="form"):
        ask_service("azure", ["eastus"], service.url)


def test_what_cannot_be_reached_needs_the_network() -> None:
    with pytest.raises(PriceServiceFailed, match="needs your network"):
        ask_service("aws", ["eu-north-1"], "http://127.0.0.1:9")


def test_a_broken_row_of_the_user_is_left_out_and_named(folder: Path) -> None:
    (folder / "aws").mkdir()
    (folder / "aws" / "prices.csv").write_text(
        "machine_type,region,capacity,usd_h,unverified,source,as_of\np5.48xlarge,us-east-1,on_demand,cheap,,me,2026-11\n"
    )
    found = prices.on_demand("p5.48xlarge", "us-east-1", "aws")
    (problem,) = price_overrides.problems()

    assert found is not None
    assert found.source != "me"
    assert (problem.line, problem.column, problem.grave) == (2, "usd_h", True)
