"""SDKs that load on demand are the SDKs that programs know."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
RUN = """
import sys
from penstock.simulate.sdk_imports import on_demand
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
        "for n in dir(s3) if isinstance(getattr(s3, n), type))"
    )

    assert loaded(program) == []


def test_kubernetes_api_groups_load_on_demand_too() -> None:
    program = "from pulumi_kubernetes.core.v1 import Namespace; from pulumi_kubernetes.helm.v3 import Release"

    assert loaded(program) == []


def test_what_a_package_holds_beside_generated_resources_is_there() -> None:
    assert loaded("from pulumi_kubernetes.helm.v3 import Chart, ChartOpts, Release, ReleaseArgs") == []
    assert loaded("from pulumi_kubernetes.helm.v3 import *; assert Chart and Release") == []


CENSUS = """
import importlib, importlib.util, json, pkgutil, random, sys
from pathlib import Path
from types import ModuleType

def census(package, seed):
    base = Path(importlib.util.find_spec(package).submodule_search_locations[0])
    names = [".".join([package, *file.parent.relative_to(base).parts]) for file in sorted(base.rglob("__init__.py"))]
    rng = random.Random(seed)
    for name in names:
        module = importlib.import_module(name)
        getattr(module, "anything", None)  # Pulumi's own lazy modules load at their first attribute
        for inner in rng.sample([each.name for each in pkgutil.iter_modules(module.__path__)], k=seed):
            importlib.import_module(f"{name}.{inner}")
    rng.shuffle(names)
    return {name: {each: thing(getattr(sys.modules[name], each)) for each in shuffled(dir(sys.modules[name]), rng)
                   if not each.startswith("__")} for name in names}

def shuffled(names, rng):
    rng.shuffle(names)
    return names

def thing(value):
    if isinstance(value, ModuleType):
        return ["module", value.__name__]
    known = [type(value).__name__, getattr(value, "__module__", None), getattr(value, "__qualname__", "")]
    if not isinstance(value, type) or value.__name__.endswith("Dict"):  # whose fields only type checkers read
        return known
    return [*known, value.__doc__, sorted(vars(value)), [each.__name__ for each in value.__mro__]]
"""


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("package", ["pulumi_kubernetes", "pulumi_aws.ec2", "pulumi_gcp.container"])
def test_each_name_of_a_whole_sdk_is_what_it_is_without(package: str, seed: int) -> None:
    """Whatever of its modules was imported first: `seed` of each package, by chance."""
    count = f"print(json.dumps(census({package!r}, {seed}), sort_keys=True))"
    demand = "from penstock.simulate.sdk_imports import on_demand\nwith on_demand():\n    "

    plainly, on_demand = (
        subprocess.run([sys.executable, "-c", f"{CENSUS}{way}{count}"], check=True, capture_output=True, text=True)
        for way in ("", demand)
    )

    assert json.loads(on_demand.stdout) == json.loads(plainly.stdout)


@pytest.mark.parametrize(
    "program",
    [
        "from pulumi_kubernetes.helm.v3 import ReleaseArgs, Release; assert isinstance(Release, type)",
        "import pulumi_kubernetes.helm.v3.Release as r; assert isinstance(r, type)",
        "from pulumi_kubernetes.helm.v3.Release import Release; import pulumi_kubernetes as k; k.helm.v3.Release.get",
        "from pulumi_kubernetes.helm import v3; import pulumi_kubernetes.helm.v3.Release; vars(v3)['Release'].get",
        "from pulumi_aws import ec2; import dill; assert dill.loads(dill.dumps(lambda: ec2))() is ec2",
        "from pulumi_aws import ec2; import pickle; assert pickle.loads(pickle.dumps(ec2.Vpc)) is ec2.Vpc",
        "from pulumi_aws import ec2; import typing; assert typing.get_type_hints(ec2.Instance.root_block_device.fget)",
        "from pulumi_aws import ec2; ec2.Vpc; assert 'Subnet' in dir(ec2) and not hasattr(ec2, '__all__')",
        "from pulumi_aws import ec2; ec2.Vpc = 5; assert ec2.Vpc == 5",
        "from pulumi_aws import ec2; from dataclasses import dataclass; dataclass(type('Own', (ec2.VpcArgs,), {}))",
        "from pulumi_aws import ec2; import inspect; assert 'cidr_block' in inspect.signature(ec2.VpcArgs).parameters",
        "from pulumi_aws import ec2; import copy; assert copy.deepcopy(ec2.VpcArgs(cidr_block='a')).cidr_block == 'a'",
        "from pulumi_aws import ec2; import pickle; assert pickle.loads(pickle.dumps(ec2.VpcArgs)) is ec2.VpcArgs",
        "from pulumi_aws import ec2; ec2.VpcArgs.own = 5; assert ec2.VpcArgs().own == 5; del ec2.VpcArgs.own",
        "from pulumi_kubernetes.core.v1 import outputs as o; assert o.Pod().get('spec', 2) == 2",
        "from pulumi_kubernetes.core.v1 import PodSpecArgs as A; assert object.__new__(A).__class__ is A",
    ],
)
def test_a_name_means_what_it_means_without(program: str) -> None:
    loaded(program)


def test_a_class_of_a_program_can_be_of_arguments() -> None:
    program = """
    from abc import ABC
    from typing import Generic, TypeVar
    from pulumi_aws import ec2

    class Private(ec2.SubnetArgs):
        def __init__(self, **more):
            super().__init__(map_public_ip_on_launch=False, **more)

    class Named:
        tags = {"Name": "own"}

    class Both(Private, Named): ...

    class Abstract(ABC): ...

    class Third(ec2.VpcArgs, Abstract, Generic[TypeVar("T")]): ...

    assert Third[int](cidr_block="a").cidr_block == "a"

    class Meta(type): ...

    class Fourth(ec2.VpcArgs, metaclass=Meta): ...

    assert isinstance(Fourth, Meta) and Fourth(cidr_block="a").cidr_block == "a"

    own = Both(vpc_id="vpc-1")
    assert isinstance(own, ec2.SubnetArgs) and not isinstance(own, ec2.VpcArgs)
    assert (own.vpc_id, own.map_public_ip_on_launch, own.tags) == ("vpc-1", False, None)
    """
    loaded(program.strip())


@pytest.mark.parametrize(
    "init",
    [
        "from .thing import *\nanother = Thing\n",
        "Thing = 1\nfrom .thing import *\n",
        "from .thing import *\nfrom .plain import *\n",
        "from .thing import *\nfrom .clash import *\n",
    ],
    ids=["its own code needs a name", "defined before", "defined in a module without __all__", "called as a module is"],
)
def test_a_package_that_is_not_generated_is_imported_as_always(init: str, tmp_path: Path) -> None:
    package = tmp_path / "pulumi_own" / "service"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").write_text(init)
    (package / "thing.py").write_text('__all__ = ["Thing", "clash"]\nclass Thing: pass\nclash = 1\n')
    (package / "plain.py").write_text("Thing = 2\n")
    (package / "clash.py").write_text('__all__ = ["other"]\nother = 3\n')
    look = "import pulumi_own.service as s; print(s.Thing, s.clash, sorted(vars(s))[-4:], getattr(s, 'another', None))"
    demand = "from penstock.simulate.sdk_imports import on_demand\nwith on_demand(): "

    plainly, on_demand = (
        subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{way}{look}"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for way in ("", demand)
    )

    assert on_demand == plainly


def test_dictionaries_of_arguments_have_the_fields_that_somebody_asks_for() -> None:
    program = """
    import typing
    import pulumi_aws as aws

    Ingress = aws.ec2.SecurityGroupIngressArgsDict

    class Own(Ingress, total=False):
        team: str

    assert typing.is_typeddict(Ingress) and Ingress.__module__ == "pulumi_aws.ec2._inputs"
    assert Ingress.__required_keys__ == {"from_port", "protocol", "to_port"} <= set(Ingress.__annotations__)
    assert Own.__optional_keys__ == {"team"} | Ingress.__optional_keys__
    assert aws.ec2.InstanceRootBlockDeviceArgs(volume_size=8).volume_size == 8
    aws.ec2.Instance
    """

    assert "pulumi_aws.ec2.instance" in loaded(program.strip())


def test_threads_wait_for_the_body_of_a_class() -> None:
    program = """
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier
    from pulumi_aws import ec2

    ec2.SecurityGroupIngressArgs
    sys.setswitchinterval(1e-6)
    start = Barrier(16)

    def made(number):
        start.wait()
        return ec2.SpotFleetRequestLaunchSpecificationArgs(ami=str(number), instance_type="p5").ami

    with ThreadPoolExecutor(16) as threads:
        assert sorted(threads.map(made, range(16)), key=int) == [str(number) for number in range(16)]
    """
    loaded(program.strip())


def test_a_property_says_its_name_where_it_cannot_be_deleted() -> None:
    program = """
    from pulumi_aws import ec2

    try:
        del ec2.SecurityGroupIngressArgs(from_port=1, to_port=2, protocol="tcp").from_port
    except AttributeError as error:
        assert "'from_port'" in str(error), error
    """
    loaded(program.strip())


def test_functions_of_an_sdk_see_what_a_test_puts_into_the_builtins() -> None:
    program = """
    from unittest import mock
    from pulumi_kubernetes.yaml import yaml

    with mock.patch("builtins.open", mock.mock_open(read_data="kind: List")) as opened:
        yaml._read_file("anything")
    assert opened.called
    """
    loaded(program.strip())
