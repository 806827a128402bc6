"""The application layer: what the command line, the editor, the policy pack and `penstock.testing` do with a stack."""
