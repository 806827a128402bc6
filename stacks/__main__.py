"""Configuration in, platform out: the program that `pulumi up` and `penstock rehearse` both run."""

import pulumi

from penstock import spec
from penstock.platform import Platform

description = spec.parse(pulumi.Config("penstock").require_object("platform"))
for name, value in Platform(description).outputs.items():
    pulumi.export(name, value)
