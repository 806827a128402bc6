"""Cloud objects, each read once from the resources that describe it: for rules, policies, cost, quotas and diff."""
