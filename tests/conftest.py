"""For all tests."""

import signal

from hypothesis import settings

# How long an example takes says something of the machine, nothing of the code; and a run says the same as the
# one before it. Other examples: pytest --hypothesis-profile=explore
settings.register_profile("tablebridge", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("tablebridge")

# A shell's background job ignores Ctrl-C, and so would the processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
