"""How large a platform must be for a model, how long it takes and what it costs: pure functions of the catalogue.

The modules follow the thought. What the model is: `shape`, `request`; what it holds: `memory`; how it is spread:
`parallelism`; how fast it runs: `throughput`, `traffic`, `failures`; what it needs beside machines: `checkpoints`,
`storage`; what it costs and draws: `cost`, `energy`; which machine is best: `ranking`; and what follows:
`quota_requests`, `description`, `on_premises`.
"""
