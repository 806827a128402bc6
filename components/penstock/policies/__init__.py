"""Policies for AI infrastructure: rules over resources, whoever declared them, and what configures them.

A rule is data and a pure function (`rule`); `judge` asks the rules of the packs in force. Three adapters run the same
rules: a Pulumi policy pack, a rehearsal, and an audit of an exported stack.
"""
