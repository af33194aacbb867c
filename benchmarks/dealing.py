"""Hands that are dealt while something else is measured."""

from random import Random

from tablebridge.sim.emulated import EmulatedTable
from tablebridge.sim.game import Game
from tablebridge.sim.pace import Stopped


def deal(table: EmulatedTable, seed: int = 1) -> None:
    """Deal regular hands until the table is stopped."""
    try:
        for _ in Game(table, Random(seed), irregular=None, share=0.0).hands(None):
            pass
    except Stopped:
        pass
