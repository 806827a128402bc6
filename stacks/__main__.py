"""The platform that the stack file describes: the program that `pulumi up` and `penstock rehearse` both run."""

from penstock.platform import deploy

deploy()
