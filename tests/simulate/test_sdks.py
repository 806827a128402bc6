"""What of the installed SDKs a plugin, which no program has imported anything for, can load."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

from penstock.simulate import sdks


@pytest.mark.parametrize("package", ["aws", "kubernetes", "random"])
def test_every_sdk_is_found_with_its_version(package: str) -> None:
    assert sdks.installed()[package].version == version(f"pulumi-{package}")


LOADED = """
import sys
from penstock.simulate import sdk_imports, sdk_types
from penstock.simulate import sdks
with sdk_imports.on_demand():
    sdks.import_sdk(sys.argv[1])
    print(bool(sdk_types.input_types(sys.argv[1]) or sdk_types.result_types(sys.argv[1])))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "token",
    [
        "aws:ec2/vpc:Vpc",
        "aws:lambda/function:Function",
        "aws:index/getCallerIdentity:getCallerIdentity",
        "aws:iam/getPolicyDocument:getPolicyDocument",
        "kubernetes:core/v1:Namespace",
        "kubernetes:helm.sh/v3:Release",
        "random:index/randomPassword:RandomPassword",
    ],
)
def test_types_and_functions_are_found_in_a_process_of_their_own(token: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED, token], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "True"


@pytest.mark.parametrize("token", ["aws:no/such:Type", "nobody:index:Thing", "aws", "aws:ec2/getNothing:getNothing"])
def test_what_no_sdk_declares_is_no_error(token: str) -> None:
    sdks.import_sdk(token)
