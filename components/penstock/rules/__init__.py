"""Rules over resources: what providers refuse, in a package a provider, and what policies share with them.

They read resources, not our description, so that programs which never saw one are judged too. `registry` knows all
rules, `judge` evaluates them.
"""
