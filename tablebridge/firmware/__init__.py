"""Putting firmware on a home-made board: MicroPython's image, our files, the board's configuration."""
