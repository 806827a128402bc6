"""The Pulumi policy pack: every policy rule, served to the Pulumi CLI over the protocol of its policies."""
