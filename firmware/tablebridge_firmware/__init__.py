"""Firmware for home-made boards: MicroPython that speaks the line protocol (docs/line-protocol.md).

`board` is what is copied to a board as it is: `main.py` and the package `table`. Files there import only each
other and MicroPython's own modules; all but `start`, `link` and `parts` also run in CPython.
"""
