"""Add-ons, which run beside the workloads: one folder each, found by its record.

| Part | What it is |
|---|---|
| record.py | `ADDON`: what it needs, and its place among the others |
| block.py | its block of the description, a field of `addons`; an add-on without one is installed where it is needed |
| rules.py | the rules on descriptions that have the block |
| condition.py | `holds`: whether a platform needs the add-on although no block enables it |
| component.py | what it installs into a cluster; without it each cloud builds the add-on itself |
| data/ | its rows of the tables in `penstock/kubernetes/data`: charts and the values they read |
| page.md | its guide |
"""

from __future__ import annotations
