"""Substantial action (TDA 36): after it, misdeals, a wrong button and a wrong pot stand."""

from tablebridge.engine.hand import Hand


def occurred(hand: Hand) -> bool:
    """Whether there was substantial action in the hand: if nobody reports the betting, from the flop on."""
    if hand.untracked:
        return hand.street != hand.form.first.name
    return amounts_to(hand, hand.round.actions, hand.round.chip_actions)


def amounts_to(hand: Hand, actions: int, chip_actions: int) -> bool:
    """Whether this number of actions in turn is substantial: two if one of them put chips in, or any three. A
    book may have its own number. `chip_actions`: how many of them put chips in.
    """
    if hand.book.misdeal_until == "two-acted":
        return actions >= 2
    return actions >= 3 or (actions == 2 and chip_actions > 0)


def too_late(hand: Hand) -> bool:
    """Whether it is too late for a misdeal."""
    if hand.book.misdeal_until == "first-action" and not hand.untracked:
        return hand.round.actions > 0 or bool(hand.out_of_turn.strays)
    return occurred(hand)
