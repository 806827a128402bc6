"""Descriptions of existing platforms: `penstock import`.

The `conversion` part of a cloud has its formats, such as those of tools for its clusters, and reads the resources of a
stack export. Each format fills a `Draft` and records which fields it read (`source`). Unread fields are reported, so
nothing is dropped in silence. `completion` makes a valid description of the draft.
"""
