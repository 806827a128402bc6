"""The pytest plugin, as a user's tests meet it: it loads by itself, failures are short, SDKs do not warn."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pulumi_aws  # noqa: F401 - imported anew in each test run within this process, it would register twice
import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]
LONGEST_FAILURE = 12
"""The lines of a failure with one finding, its test and place included."""

PROJECT = """\
name: acme
runtime: python
"""
PROGRAM = """\
from pulumi_aws import ebs

ebs.Volume("archive", availability_zone="us-east-1a", size=0, encrypted=True)
"""


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a volume that no cloud sells, below the root folder of the tests."""
    infra = pytester.mkdir("infra")
    for name, text in (("Pulumi.yaml", PROJECT), ("Pulumi.dev.yaml", "config: {}\n"), ("__main__.py", PROGRAM)):
        (infra / name).write_text(text)
    pytester.makeini("[pytest]\npenstock_project = infra\n")
    return pytester


def failures(result: pytest.RunResult) -> list[str]:
    """The texts of failed tests, without what the pages around them say."""
    text = "\n".join(result.outlines)
    body = text.partition("= FAILURES =")[2].partition("= short test summary info =")[0]
    return list(body.split("\n___")[1:])


def test_tests_of_a_stack_pass_and_fail_with_short_texts(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        import pytest
        from penstock.testing import diff, rehearse as rehearse_alone
        from pulumi_aws import ebs

        ACCESS = {"deployer_cidrs": ["203.0.113.0/24"]}

        def zone(name):
            return lambda: ebs.Volume("v", availability_zone=name, size=8)

        @pytest.fixture(scope="session")
        def dev(rehearse):
            return rehearse("dev")

        def test_the_volume_is_there(dev):
            assert dev.resource("aws:ebs/volume:Volume", "archive").inputs["encrypted"]

        def test_nothing_is_found(dev):
            dev.assert_no_findings()

        def test_findings_are_none(dev):
            assert dev.findings == ()

        def test_it_is_ok(dev):
            assert dev.ok

        def test_no_data_is_lost():
            diff(rehearse_alone(zone("us-east-1a")), rehearse_alone(zone("us-east-1b"))).assert_no_data_lost()

        def test_nothing_is_replaced():
            assert diff(rehearse_alone(zone("us-east-1a")), rehearse_alone(zone("us-east-1b"))).replaced == ()

        def test_there_is_a_bucket(dev):
            dev.resource("aws:s3/bucket:Bucket")

        def test_there_is_a_stack(rehearse):
            rehearse("prod")

        def test_a_program_runs(rehearse):
            rehearse(lambda: 1 / 0)

        def test_a_description_is_right(rehearse):
            rehearse({"environment": "dev", "cloud": {"provider": "aws", "region": "nowhere"}, "cluster": ACCESS})
        """
    )

    result = folder.runpytest_inprocess("-vv")

    result.assert_outcomes(passed=1, failed=9)
    result.stdout.fnmatch_lines(
        [
            "E *expected no findings, found 1:",
            "E *error  __main__.py:3  size  [[]aws-ebs-size-range[]]",
            "E *0 GiB is not a size of gp2",
            "E *Use 1 GiB; the range is 1 to 16384.",
            "E *False = <rehearsal of 'dev': 3 resources, 1 finding: aws-ebs-size-range>.ok",
            "E *expected no lost data, found 1:",
            "E *v (Volume) at *:* is replaced",
            "E *Lost: every block on it",
            "E *Changed: availabilityZone",
            "E *expected no changes, found 1:",
            "E *expected one aws:s3/bucket:Bucket, found none of the type.*",
            "E *NotAProject: acme has no stack 'prod'.*",
            "E *ProgramFailed: *:*",
            "E *the program failed: ZeroDivisionError: division by zero",
            "E *InvalidDescription: cloud.region  [[]SPEC-030[]]",
        ]
    )
    result.stdout.no_fnmatch_line("*components/penstock*")
    assert [text for text in failures(result) if len(text.strip().splitlines()) > LONGEST_FAILURE] == []


def test_warnings_of_sdks_are_hidden_and_those_of_a_user_are_not(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        mine="""
        import warnings
        warnings.warn("mine is deprecated in favor of yours", DeprecationWarning)
        """,
        test_sdk="""
        import mine
        import pulumi_aws.s3.bucket_v2

        def test_modules_are_imported():
            assert mine
        """,
    )

    result = pytester.runpytest_subprocess()

    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*mine is deprecated in favor of yours"])


@pytest.mark.slow
def test_the_guide_shows_tests_that_pass(pytester: pytest.Pytester) -> None:
    guide = (ROOT / "docs" / "guides" / "testing.md").read_text(encoding="utf-8")
    (file,) = re.findall(r"^```python\n# tests/test_train\.py\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    (settings,) = re.findall(r"^```toml\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    infra = pytester.mkdir("infra")
    shutil.copy(ROOT / "Pulumi.yaml", infra)
    shutil.copytree(ROOT / "stacks", infra / "stacks")
    (infra / ".venv").symlink_to(sys.prefix)  # the environment that `Pulumi.yaml` names
    pytester.makepyprojecttoml(settings)
    pytester.makepyfile(test_train=file)

    pytester.runpytest_subprocess().assert_outcomes(passed=len(re.findall("^def test_", file, re.MULTILINE)))


def test_a_project_folder_that_does_not_exist_is_named(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\npenstock_project = nowhere\n")
    pytester.makepyfile("def test_dev(rehearse): rehearse('dev')")

    result = pytester.runpytest_inprocess()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*penstock_project: *nowhere is not a folder"])


@pytest.mark.slow
def test_workers_of_xdist_rehearse_at_the_same_time(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        test_one="def test_dev(rehearse): assert len(rehearse('dev').findings) == 1",
        test_two="def test_dev(rehearse): assert not rehearse('dev').ok",
    )

    folder.runpytest_subprocess("-n", "2").assert_outcomes(passed=2)


def test_a_test_run_without_rehearsals_imports_no_sdk(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_plain():
            assert [1] == [1]
            assert "penstock.pytest_plugin" in sys.modules
            assert not {"pulumi", "pydantic", "penstock.testing"} & set(sys.modules)
        """
    )

    pytester.runpytest_subprocess("-p", "no:hypothesispytest").assert_outcomes(passed=1)


def test_tests_of_unittest_fail_with_the_same_text(tmp_path: Path) -> None:
    (tmp_path / "test_volume.py").write_text(
        "import unittest\nfrom penstock.testing import rehearse\nfrom pulumi_aws import ebs\n"
        "class VolumeTest(unittest.TestCase):\n"
        "    def test_volume(self):\n"
        '        rehearse(lambda: ebs.Volume("v", availability_zone="us-east-1a", size=0)).assert_no_findings()\n'
    )

    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "unittest", "-q"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 1
    assert "AssertionError: expected no findings, found 1:\n  error  test_volume.py:6  size" in run.stderr
