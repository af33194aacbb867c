"""Runs at power-up."""

from table import start

start.run()
