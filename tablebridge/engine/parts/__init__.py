"""The parts of a hand's state."""
