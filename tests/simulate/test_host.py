"""Programs run with their own Python and its packages, as the Pulumi CLI runs them, apart from Penstock's."""

from __future__ import annotations

import ensurepip
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.environments_of_programs import VERSION, exports, project_with_environment, rehearse
from tests.patience import timeouts

from penstock.core.errors import InvalidDescription, ProgramFailed, Unfinished
from penstock.graph.graph import SourceLocation
from penstock.graph.values import UNKNOWN


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project whose environment is not the one of the tests."""
    return project_with_environment(tmp_path)


PLATFORM = """
import pulumi
from pulumi_aws import ec2, s3

class Storage(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("shop:index:Storage", name)
        for each in "abc":
            s3.Bucket(f"{name}-{each}", tags={"of": name}, opts=pulumi.ResourceOptions(parent=self))
        self.register_outputs({"name": name})

vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16", enable_dns_hostnames="yes")
subnet = ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.1.0/24", opts=pulumi.ResourceOptions(protect=True))
Storage("media")
zones = ec2.get_vpc(default=True).cidr_block
password = pulumi.Config().require_secret("password")
pulumi.export("password", password.apply(lambda text: text.upper()))
pulumi.export("vpc", vpc.arn)
pulumi.export("zones", zones)
"""


REFUSED = """
import pulumi
from penstock import description
from penstock.core.errors import InvalidDescription

try:
    description.parse({"environment": "dev"})
except InvalidDescription as invalid:
    raise pulumi.RunError(str(invalid)) from None
"""


@pytest.mark.parametrize(
    "program", [REFUSED, REFUSED.partition("try:")[0] + 'description.parse({"environment": "dev"})']
)
def test_findings_on_a_description_cross_from_the_process_of_the_program(folder: Path, program: str) -> None:
    with pytest.raises(InvalidDescription) as apart:
        rehearse(folder, program)
    (folder / ".venv").rename(folder / "elsewhere")
    with pytest.raises(InvalidDescription) as within:
        rehearse(folder, program)
    (folder / "elsewhere").rename(folder / ".venv")

    assert apart.value.findings
    assert apart.value.findings == within.value.findings


def test_a_rehearsal_is_the_same_as_in_process(folder: Path) -> None:
    (folder / "Pulumi.dev.yaml").write_text("config: {shop:password: hunter2hunter2}\n")

    for preview in (False, True):
        apart = rehearse(folder, PLATFORM, preview=preview)
        (folder / ".venv").rename(folder / "elsewhere")
        within = rehearse(folder, PLATFORM, preview=preview)
        (folder / "elsewhere").rename(folder / ".venv")

        assert apart.graph == within.graph
        assert list(apart.graph) == list(within.graph)
        assert apart.findings == within.findings
        assert {each.code for each in apart.findings} >= {"TYPE-003"}


def test_the_program_runs_with_the_python_of_its_environment(folder: Path) -> None:
    program = """
import os, sys, pulumi
pulumi.export("python", [sys.executable, os.environ["VIRTUAL_ENV"], os.environ["PATH"].split(os.pathsep)[0]])
pulumi.export("home", [os.getcwd(), sys.path[0], pulumi.get_root_directory(), __name__])
pulumi.export("penstock", [name for name in sys.modules if "penstock" in name])
pulumi.export("config", os.environ["PULUMI_CONFIG"])
pulumi.export("given", sys.argv[1:])
"""

    found = exports(folder, program)

    home = str(folder / ".venv")
    assert found["python"] == [f"{home}/bin/python", home, f"{home}/bin"]
    assert found["home"] == [str(folder), str(folder), str(folder), "__main__"]
    assert found["penstock"] == []
    assert found["config"] == "{}"
    assert found["given"] == []


@pytest.mark.parametrize("name", ["secrets", "csv", "run", "decimal", "pydantic", "typer"])
def test_a_program_finds_its_own_modules_first(folder: Path, name: str) -> None:
    (folder / f"{name}.py").write_text("WORD = 'own'\n")

    assert exports(folder, f"import pulumi, {name}\npulumi.export('word', {name}.WORD)\n") == {"word": "own"}


@pytest.mark.parametrize("name", ["secrets", "csv", "pydantic"])
def test_it_does_so_without_an_environment(tmp_path: Path, name: str) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / f"{name}.py").write_text("WORD = 'own'\n")
    known = sys.modules.get(name)

    program = f"import pulumi, {name}\nfrom pulumi_aws import s3\ns3.Bucket('b')\npulumi.export('word', {name}.WORD)\n"
    assert exports(tmp_path, program) == {"word": "own"}
    assert sys.modules.get(name) is known


def test_a_package_of_the_environment_is_not_the_one_beside_penstock(folder: Path) -> None:
    """As an own protobuf, pydantic 1 and the like."""
    own = folder / ".venv" / "lib" / VERSION / "site-packages" / "pydantic"
    own.mkdir()
    (own / "__init__.py").write_text("VERSION = '1.10.0'\n")

    assert exports(folder, "import pulumi, pydantic\npulumi.export('v', pydantic.VERSION)\n") == {"v": "1.10.0"}


def test_an_editable_install_is_found(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    source = tmp_path_factory.mktemp("src")
    (source / "house_rules.py").write_text("WORD = 'editable'\n")
    (folder / ".venv" / "lib" / VERSION / "site-packages" / "_house.pth").write_text(f"{source}\n")

    assert exports(folder, "import pulumi, house_rules as h\npulumi.export('w', h.WORD)\n") == {"w": "editable"}


def test_the_types_of_an_sdk_that_only_the_environment_has_are_checked(folder: Path) -> None:
    packages = folder / ".venv" / "lib" / VERSION / "site-packages"
    own_sdk(packages)
    program = "import pulumi_house as house\nhouse.Door('d', width='wide')\nhouse.Door('e', width=5, colour='red')\n"

    rehearsal = rehearse(folder, program)

    assert sorted((each.code, each.path) for each in rehearsal.findings) == [("TYPE-003", "width")]
    assert "pulumi_house" not in {Path(each).name for each in sys.path}


def test_an_sdk_that_this_python_cannot_import_is_reported(folder: Path) -> None:
    packages = folder / ".venv" / "lib" / VERSION / "site-packages"
    own_sdk(packages, name="shed", first="import sys\nif 'pytest' in sys.modules: raise ImportError('not here')\n")

    rehearsal = rehearse(folder, "import pulumi_shed as shed\nshed.Door('d', width='wide')\nshed.Door('e', width=1)\n")

    codes = [each.code for each in rehearsal.findings]
    assert sorted(codes) == ["PROGRAM-009", "TYPE-004"]
    assert rehearsal.ok


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("barn", "import importlib.metadata\nVERSION = importlib.metadata.version(__name__)\n"),
        ("hut", "import pkg_resources\nVERSION = pkg_resources.require(__name__)[0].version\n"),
    ],
)
def test_an_sdk_finds_the_version_that_it_is_installed_as(folder: Path, name: str, first: str) -> None:
    packages = folder / ".venv" / "lib" / VERSION / "site-packages"
    own_sdk(packages, name=name, first=first)
    metadata = packages / f"pulumi_{name}-1.2.3.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: pulumi_{name}\nVersion: 1.2.3\n")
    if "pkg_resources" in first:
        install_setuptools(packages)

    rehearsal = rehearse(folder, f"import pulumi_{name} as sdk\nsdk.Door('d', width='wide')\n")

    assert [(each.code, each.path) for each in rehearsal.findings] == [("TYPE-003", "width")]
    with pytest.raises(PackageNotFoundError):
        version(f"pulumi_{name}")


def install_setuptools(packages: Path) -> None:
    """Unpacks the wheel that Python itself brings along, as `python -m venv` does."""
    wheels = sorted((Path(ensurepip.__file__).parent / "_bundled").glob("setuptools-*.whl"))
    if not wheels:
        pytest.skip("this Python brings no setuptools along")
    with ZipFile(wheels[-1]) as wheel:
        wheel.extractall(packages)


def own_sdk(packages: Path, name: str = "house", first: str = "") -> None:
    """Writes an SDK of one resource, as they are generated."""
    home = packages / f"pulumi_{name}"
    home.mkdir()
    plugin = f'{{"resource": true, "name": "{name}", "version": "1.2.3"}}'
    (home / "pulumi-plugin.json").write_text(plugin)
    (home / "__init__.py").write_text(
        f"{first}from .door import *\nimport pulumi\n"
        "class Module(pulumi.runtime.ResourceModule):\n"
        f"    mod_info = {{'fqn': 'pulumi_{name}', 'classes': {{'{name}:index:Door': 'Door'}}}}\n"
        "    def version(self): return None\n"
        "    def construct(self, name, typ, urn): raise NotImplementedError\n"
        f"pulumi.runtime.register_resource_module('{name}', 'index', Module())\n"
    )
    (home / "door.py").write_text(f"""
import pulumi
from typing import Optional
__all__ = ["Door", "DoorArgs"]

@pulumi.input_type
class DoorArgs:
    def __init__(self, *, width, colour=None):
        pulumi.set(self, "width", width)

    @property
    @pulumi.getter
    def width(self) -> pulumi.Input[int]:
        return pulumi.get(self, "width")

    @property
    @pulumi.getter
    def colour(self) -> Optional[pulumi.Input[str]]:
        return pulumi.get(self, "colour")

class Door(pulumi.CustomResource):
    def __init__(self, name, width, colour=None):
        super().__init__("{name}:index:Door", name, {{"width": width, "colour": colour}})
""")


# ---------------------------------------------------------------------- functions of the program


FUNCTIONS = """
import pulumi
from pulumi_aws import s3

def tagged(args):
    if args.type_ == "aws:s3/bucket:Bucket":
        return pulumi.ResourceTransformResult({**args.props, "tags": {"name": args.name}}, args.opts)

def seen(args):
    print("created", args.name)

pulumi.runtime.register_resource_transform(tagged)
hook = pulumi.ResourceHook("seen", seen)
for name in "abcdefgh":
    s3.Bucket(name, opts=pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(after_create=[hook])))
"""


def test_transforms_and_hooks_are_called(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rehearsal = rehearse(folder, FUNCTIONS)

    buckets = rehearsal.graph.of_type("aws:s3/bucket:Bucket")
    assert {each.name: each.inputs["tags"] for each in buckets} == {name: {"name": name} for name in "abcdefgh"}
    assert sorted(capsys.readouterr().err.splitlines()) == [f"created {name}" for name in "abcdefgh"]


def test_a_function_that_asks_for_more_does_not_wait_for_itself(folder: Path) -> None:
    program = """
import pulumi
from pulumi_aws import ec2, s3

async def zoned(args):
    found = await ec2.get_vpc_output(default=True).future()
    return pulumi.ResourceTransformResult({**args.props, "tags": {"of": found.id}}, args.opts)

s3.Bucket("b", opts=pulumi.ResourceOptions(transforms=[zoned]))
"""

    (bucket,) = rehearse(folder, program).graph.of_type("aws:s3/bucket:Bucket")
    assert bucket.inputs["tags"]["of"].startswith("vpc-")


def test_a_function_that_fails_is_the_programs_failure(folder: Path) -> None:
    program = """
import pulumi
from pulumi_aws import s3

def broken(args):
    raise ValueError("no such colour")

s3.Bucket("b", opts=pulumi.ResourceOptions(transforms=[broken]))
"""

    with pytest.raises(ProgramFailed, match=r"(?s)^__main__.py:6\n.*no such colour"):
        rehearse(folder, program)


def test_what_does_not_wait_for_an_api_runs_before_it_is_on(folder: Path) -> None:
    program = """
import pulumi
from pulumi_gcp import compute, projects
api = projects.Service("compute", project="p", service="compute.googleapis.com")
network = compute.Network("n", project="p")
last = compute.Network("m", project="p", opts=pulumi.ResourceOptions(depends_on=[network]))
after = compute.Network("o", project="p", opts=pulumi.ResourceOptions(depends_on=[api]))
"""
    (folder / "__main__.py").write_text(program)
    apart = rehearse(folder, program)
    (folder / ".venv").rename(folder / "elsewhere")

    assert apart.findings == rehearse(folder, program).findings


def test_what_stands_between_a_program_and_its_sdk_does_so_there_too(folder: Path) -> None:
    program = """
import pulumi

if not pulumi.runtime.is_dry_run():
    raise AssertionError("for real")
pulumi.export("vpc", pulumi.StackReference("acme/network/prod").get_output("vpc"))
"""
    apart = rehearse(folder, program)
    (folder / ".venv").rename(folder / "elsewhere")

    assert apart.findings == rehearse(folder, program).findings
    assert {each.code for each in apart.findings} >= {"PROGRAM-005", "PROGRAM-007"}


# ---------------------------------------------------------------------- failures


@pytest.mark.parametrize(
    "program",
    [
        "import pulumi\nraise ValueError('boom')\n",
        "def f(:\n",
        "import later\n",
        "import sys\nsys.exit(3)\n",
        "import sys\nsys.exit('enough')\n",
        "import pulumi\npulumi.Config().require('colour')\n",
        "import pulumi\npulumi.Output.from_input(1).apply(lambda n: n / 0)\n",
        "raise ExceptionGroup('many', [ValueError('one'), TypeError('two')])\n",
        "raise KeyboardInterrupt\n",
        "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd\n",
        "from penstock.description.storage import BucketSpec\nBucketSpec(name=5, nothing=1)\n",
        "import pulumi\npulumi.CustomResource('aws:s3/bucket:Bucket', 'b', {})\n",
    ],
)
def test_a_failure_reads_as_in_process(folder: Path, program: str) -> None:
    (folder / "later.py").write_text("\n\nimport pulumi\nraise RuntimeError('later')\n")
    (folder / "Pulumi.dev.yaml").write_text("config: {pulumi:disable-default-providers: [aws]}\n")

    def failure() -> str:
        with pytest.raises(ProgramFailed) as failed:
            rehearse(folder, program)
        return str(failed.value)

    apart = failure()
    (folder / ".venv").rename(folder / "elsewhere")

    assert apart == failure()


def test_what_the_environment_does_not_have_is_named_with_what_installs_it_there(folder: Path) -> None:
    with pytest.raises(
        ProgramFailed, match=r"(?s)^__main__.py:1\n.*`.*/.venv/bin/python -m pip install no-such-thing`"
    ):
        rehearse(folder, "import no_such_thing\n")


def test_a_missing_description_is_told_as_in_process(folder: Path) -> None:
    with pytest.raises(InvalidDescription):
        rehearse(folder, "import pulumi\npulumi.Config('penstock').require_object('platform')\n")


def test_a_program_that_ends_its_process_has_no_result(folder: Path) -> None:
    with pytest.raises(Unfinished, match=r"status 3 before there was a result, as os\._exit does"):
        rehearse(folder, "import os\nos._exit(3)\n")
    with pytest.raises(Unfinished, match="killed by SIGKILL"):
        rehearse(folder, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")


def test_a_program_that_ends_itself_well_is_rehearsed_as_far_as_it_came(folder: Path) -> None:
    program = "import sys\nfrom pulumi_aws import s3\ns3.Bucket('b')\nsys.exit(0)\n"

    assert rehearse(folder, program).ok


def test_what_a_program_prints_has_no_secret(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Pulumi.dev.yaml").write_text("config: {shop:password: correct-horse-42-battery}\n")
    program = """
import os, pulumi, subprocess
password = pulumi.Config().require_secret("password")
derived = pulumi.Output.secret("tr0ub4dor-and-three")
derived.apply(lambda text: print("derived", text, flush=True))
password.apply(lambda text: print("given", text[::-1], "as", text))
password.apply(lambda text: text[::-1]).apply(lambda text: print("turned", text))
password.apply(lambda text: subprocess.run(["echo", text]))
"""

    rehearse(folder, program)

    said = capsys.readouterr().err
    assert "derived" in said
    assert "turned" in said
    for secret in ("tr0ub4dor-and-three", "correct-horse-42-battery", "correct-horse-42-battery"[::-1] + "\n"):
        assert secret not in said


# ---------------------------------------------------------------------- under supervision


def command(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "penstock", "rehearse", str(folder), "--stack", "dev", *options]
    return subprocess.run(line, capture_output=True, text=True, check=False, cwd=folder)


@pytest.mark.slow
def test_a_program_that_never_ends_is_late_at_its_line(folder: Path) -> None:
    program = "import time\nimport pulumi\nopen('begun', 'w').close()\nwhile True:\n    time.sleep(0.01)\n"
    (folder / "__main__.py").write_text(program)
    for seconds in timeouts():
        done = command(folder, "--timeout", str(seconds))
        if (folder / "begun").exists():
            break

    assert done.returncode == 2
    assert done.stderr.startswith(f"__main__.py:5\n  the command did not end within {seconds} s (--timeout)")


@pytest.mark.slow
def test_what_a_program_prints_is_no_part_of_the_report(folder: Path) -> None:
    program = "import pulumi\nfrom pulumi_random import RandomPet\nprint('hello')\nRandomPet('p')\n"
    (folder / "__main__.py").write_text(program)

    done = command(folder)

    assert done.returncode == 0
    assert done.stderr == "hello\n"
    assert "hello" not in done.stdout


def test_unknown_values_stay_unknown(folder: Path) -> None:
    rehearsal = rehearse(
        folder, PLATFORM.replace("pulumi.Config().require_secret", "pulumi.Output.secret"), preview=True
    )

    assert rehearsal.graph.exports["vpc"] is UNKNOWN
    (subnet,) = rehearsal.graph.of_type("aws:ec2/subnet:Subnet")
    assert (subnet.place, subnet.options.protect) == (SourceLocation("__main__.py", 13), True)
