"""For all tests."""

from hypothesis import settings

# How long an example takes says something of the machine, nothing of the code; and a run says the same as the one before it.
# Other examples: pytest --hypothesis-profile=explore
settings.register_profile("tablebridge", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("tablebridge")
