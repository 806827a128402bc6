"""Stands in for the engine behind the Pulumi SDK: takes what a program asks, and answers as the engine would."""
