"""Segmentation: what need not talk to each other cannot, and nothing faces the internet by mistake."""
