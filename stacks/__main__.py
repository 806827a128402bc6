"""Configuration in, platform out: the program that `pulumi up` and `penstock rehearse` both run."""

import pulumi

from penstock import description
from penstock.core.errors import InvalidDescription
from penstock.platform import Platform

try:
    platform = Platform(description.parse(pulumi.Config("penstock").require_object("platform")))
except InvalidDescription as invalid:
    raise pulumi.RunError(str(invalid)) from None  # the Pulumi CLI prints it as it is, without a traceback

for name, value in platform.outputs.items():
    pulumi.export(name, value)
