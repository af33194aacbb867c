"""Drivers of reader chips. Each has `start`, `visit` and `off`, and raises `Dead` if the chip does not
answer.
"""
