"""Tags: owner and purpose of every resource."""
