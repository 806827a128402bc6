"""Identity and hardening: each workload may do what it needs, and proves who it is."""
