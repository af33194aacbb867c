"""`python -m tablebridge`."""

from tablebridge.cli import main

main()
