"""A price file that is broken, empty or of another cloud is named with its line; its other rows count."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.catalog.price_files import PriceFileProblem, misnamed, read_price_file

MACHINES = "machine_type,region,capacity,usd_h,unverified,source,as_of"
SERVICES = "cloud,region,service,item,unit,usd,unverified,source,as_of"
RIGHT = "p5.48xlarge,us-east-1,on_demand,38.53,,our contract,2026-11"


def problem_of(folder: Path, table: str, text: str | bytes) -> PriceFileProblem:
    """The one problem of a file."""
    path = folder / f"{table}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (found,) = read_price_file(table, folder).problems
    assert found.file == path
    return found


@pytest.mark.parametrize(
    ("row", "column", "says"),
    [
        ("p5.48xlarge,us-east-1,on_demand,cheap,,me,2026-11", "usd_h", "'cheap'"),
        ("p5.48xlarge,us-east-1,on_demand,-1,,me,2026-11", "usd_h", "'-1'"),
        ("p5.48xlarge,us-east-1,on_demand,inf,,me,2026-11", "usd_h", "'inf'"),
        ("p5.48xlarge,us-east-1,on_demand,1.0,,,2026-11", "source", "source"),
        ("p5.48xlarge,us-east-1,on_demand,1.0,,me,November", "as_of", "'November'"),
        ("p5.48xlarge,us-east-1,ondemand,1.0,,me,2026-11", "capacity", "'ondemand'"),
        ("p5.48xlarge,us-east-1,on_demand,1.0,price,me,2026-11", "unverified", "'price'"),
        ("p5.48xlarge,us-east-1,on_demand,1.0,,me", "", "too few"),
        ("p5.48xlarge,us-east-1,on_demand,1.0,,me,2026-11,x", "", "too many"),
        ("Standard_D4s_v5,eastus,on_demand,1.0,,me,2026-11", "region", "'eastus' is not a known region of aws"),
        ("a3-highgpu-8g,us-central1,spot,1.0,,me,2026-11", "region", "'us-central1' is not a known region of aws"),
    ],
)
def test_a_row_without_a_price_is_left_out_and_the_others_count(
    tmp_path: Path, row: str, column: str, says: str
) -> None:
    found = problem_of(tmp_path, "aws/prices", f"{MACHINES}\n{RIGHT}\n{row}\n")

    assert (found.line, found.column, found.grave) == (3, column, True)
    assert says in found.message
    assert [each["usd_h"] for each in read_price_file("aws/prices", tmp_path).rows] == ["38.53"]


@pytest.mark.parametrize(
    ("row", "column", "hint"),
    [
        ("p5.49xlarge,us-east-1,on_demand,1.0,,me,2026-11", "machine_type", "Did you mean"),
        ("p5.48xlarge,us-east-9,on_demand,1.0,,me,2026-11", "region", "Did you mean us-east"),
        (RIGHT, "", "one of both"),
    ],
)
def test_a_name_that_nobody_knows_is_a_warning_and_its_row_counts(
    tmp_path: Path, row: str, column: str, hint: str
) -> None:
    found = problem_of(tmp_path, "aws/prices", f"{MACHINES}\n{RIGHT}\n{row}\n")

    assert (found.line, found.column, found.grave) == (3, column, False)
    assert hint in found.hint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        (f"{MACHINES}\n", "has no prices"),
        (b"\xff\xfe\x00\x81", "cannot be read"),
        (f'{MACHINES}\n"p5,us-east-1\n', "cannot be read"),
        (f"{MACHINES.replace('usd_h', 'eur_h')}\n{RIGHT}\n", "lacks usd_h. It has eur_h"),
        ("machine_type,region,usd_h,source,as_of\np5.48xlarge,us-east-1,1.0,me,2026-11\n", "lacks capacity"),
    ],
)
def test_a_file_without_prices_says_why(tmp_path: Path, text: str | bytes, says: str) -> None:
    found = problem_of(tmp_path, "azure/prices", text)

    assert found.line == 1
    assert says in found.message
    assert read_price_file("azure/prices", tmp_path).rows == ()


@pytest.mark.parametrize(
    ("row", "column", "says"),
    [
        ("awz,us-east-1,nat-gateway,hour,hour,1.0,,me,2026-11", "cloud", "'awz'"),
        ("aws,us-east-1,nat-gatewayy,hour,hour,1.0,,me,2026-11", "service", "'nat-gatewayy'"),
        ("aws,us-east-1,nat-gateway,our,hour,1.0,,me,2026-11", "item", "'our'"),
        ("aws,us-east-1,nat-gateway,hour,month,1.0,,me,2026-11", "unit", "is sold by hour"),
        ("aws,eastus,nat-gateway,hour,hour,1.0,,me,2026-11", "region", "not a known region"),
    ],
)
def test_a_price_of_a_service_that_no_bill_reads_is_named(tmp_path: Path, row: str, column: str, says: str) -> None:
    found = problem_of(tmp_path, "services", f"{SERVICES}\n{row}\n")

    assert found.column == column
    assert says in found.message


def test_right_files_have_no_problem(tmp_path: Path) -> None:
    (tmp_path / "gcp").mkdir()
    (tmp_path / "gcp" / "prices.csv").write_text(
        "\ufeffmachine_type,region,capacity,usd_h,source,as_of\na3-highgpu-8g,us-central1,spot,20,me,2026\n"
    )
    found = read_price_file("gcp/prices", tmp_path)

    assert found.problems == ()
    assert found.rows[0]["unverified"] == ""
    assert list(misnamed(tmp_path)) == []


@pytest.mark.parametrize("name", ["prices.csv", "awss/prices.csv", "aws/price.csv", "azure/services.csv"])
def test_a_file_that_no_price_is_read_from_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(f"{MACHINES}\n{RIGHT}\n")
    (found,) = misnamed(tmp_path)

    assert name in found.message
    assert not found.grave
