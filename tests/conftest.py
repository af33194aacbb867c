"""For all tests."""

from hypothesis import settings

# How long an example takes says something of the machine, nothing of the code.
settings.register_profile("tablebridge", deadline=None)
settings.load_profile("tablebridge")
