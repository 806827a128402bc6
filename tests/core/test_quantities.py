"""Amounts of bytes, and quantities as Kubernetes writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.core.quantities import lustre_gib, lustre_tib, parse_quantity, quantity_text


@pytest.mark.parametrize(
    ("text", "amount"),
    [("500m", "0.5"), ("1Ki", "1024"), ("1k", "1000"), ("2e3", "2000"), (".5", "0.5"), ("1.", "1"), ("3u", "0.000003")],
)
def test_a_quantity_is_read_as_kubernetes_reads_it(text: str, amount: str) -> None:
    assert parse_quantity(text) == Decimal(amount)


@pytest.mark.parametrize("text", ["", "m", "1GB", "1 Gi", "one", "0x10", "1K", "1e", "--1"])
def test_other_texts_are_not_quantities(text: str) -> None:
    assert parse_quantity(text) is None


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_quantities_keep_their_order_in_every_unit(one: int, other: int) -> None:
    for suffix in ("", "m", "Ki", "M", "Gi", "e3"):
        first, second = parse_quantity(f"{one}{suffix}"), parse_quantity(f"{other}{suffix}")
        assert first is not None
        assert second is not None
        assert (first < second) == (one < other)


@pytest.mark.parametrize(
    ("amount", "text"), [("2147483648", "2Gi"), ("1500000000", "1500000000"), ("0.5", "500m"), ("4", "4")]
)
def test_a_quantity_is_written_for_people(amount: str, text: str) -> None:
    assert quantity_text(Decimal(amount)) == text


@pytest.mark.parametrize(("tib", "gib"), [(1.2, 1200), (1.8, 1800), (19.2, 19200), (36, 36000)])
def test_a_tebibyte_of_lustre_is_a_thousand_gibibytes(tib: float, gib: int) -> None:
    assert lustre_gib(tib) == gib
    assert lustre_tib(gib) == tib
