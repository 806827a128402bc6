"""Pools of machines as rules read them, whatever cloud they are in and whoever describes them."""
