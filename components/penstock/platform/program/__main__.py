"""The platform that the stack file describes: the program of a stack that has no other."""

from penstock.platform import deploy

deploy()
