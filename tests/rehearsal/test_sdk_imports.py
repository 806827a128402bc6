"""SDKs that load on demand are the SDKs that programs know."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
RUN = """
import sys
from penstock.rehearsal.sdk_imports import on_demand
with on_demand():
    {program}
print(*sorted(name for name in sys.modules if name.startswith("pulumi_aws.ec2.") and "._" not in name))
"""


def loaded(program: str) -> list[str]:
    """The modules of EC2 that a program loads, in a Python of its own: this one has loaded them all."""
    code = RUN.format(program=program)
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return result.stdout.split()


@pytest.mark.parametrize(
    "program",
    [
        "import pulumi_aws as aws; aws.ec2.Vpc",
        "from pulumi_aws import ec2; ec2.Vpc; ec2.VpcArgs",
        "from pulumi_aws.ec2 import Vpc",
        "import pulumi_aws.ec2; pulumi_aws.ec2.Vpc",
        "from pulumi_aws import ec2; ec2.vpc.Vpc",
        "import pulumi_kubernetes as k8s; from pulumi_aws import ec2; ec2.Vpc, k8s.helm.v3.Release.__init__",
    ],
)
def test_a_program_loads_what_it_names(program: str) -> None:
    assert loaded(program) == ["pulumi_aws.ec2.outputs", "pulumi_aws.ec2.vpc"]


def test_what_a_service_has_more_of_than_resources_is_there() -> None:
    names = ("get_vpc_output", "VpcEndpointArgs", "outputs", "InstanceType.T3_MICRO")

    assert "pulumi_aws.ec2.get_vpc" in loaded(f"from pulumi_aws import ec2; {'; '.join(f'ec2.{n}' for n in names)}")


def test_a_star_import_has_everything() -> None:
    program = "from pulumi_aws.ec2 import *; assert Vpc and Subnet and get_vpc"

    assert len(loaded(program)) > 100


def test_an_unknown_name_is_an_attribute_error_as_always() -> None:
    program = "import pulumi_aws as aws; assert not hasattr(aws.ec2, 'Vpx')"

    assert loaded(program) == ["pulumi_aws.ec2.outputs"]


def test_every_name_leads_to_the_same_thing_as_without() -> None:
    program = (
        "import pulumi_aws.s3 as s3, importlib; "
        "assert all(getattr(s3, n) is getattr(importlib.import_module(getattr(s3, n).__module__), n, None) "
        "for n in s3.__all__ if isinstance(getattr(s3, n), type))"
    )

    assert loaded(program) == []


def test_kubernetes_api_groups_load_on_demand_too() -> None:
    program = "from pulumi_kubernetes.core.v1 import Namespace; from pulumi_kubernetes.helm.v3 import Release"

    assert loaded(program) == []


def test_what_a_package_holds_beside_generated_resources_is_there() -> None:
    assert loaded("from pulumi_kubernetes.helm.v3 import Chart, ChartOpts, Release, ReleaseArgs") == []
    assert loaded("from pulumi_kubernetes.helm.v3 import *; assert Chart and Release") == []
