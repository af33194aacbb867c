"""The parts of a hand's state.

Most are made of structs, which are made in a third of the time of a dataclass. What is written with each card
or action is a dataclass with slots, whose fields are set in half the time of a struct's.
"""
