"""The component provider: programs in YAML, TypeScript, Go and other languages use Penstock's components through it.

The Pulumi CLI starts it as a plugin. Its schema, from which the CLI generates an SDK of each language, follows from the
models of the description and from the records of the clouds (`penstock.model.packaged`).
"""
