"""The packaged program: `penstock rehearse` runs it for a stack that has a description and no program."""
