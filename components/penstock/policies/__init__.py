"""Policies for AI infrastructure: rules over resources, whoever declared them, and what configures them.

A rule is data and a pure function (`rule`); `judge` evaluates the rules of the enabled packs. Three adapters run the
same rules: a Pulumi policy pack, a rehearsal, and an audit of an exported stack.
"""
