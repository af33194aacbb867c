"""The pot as the dealer announces it in pot-limit, and bets that were made on a wrong count (TDA 52-B)."""

from tablebridge.engine import substantial_action
from tablebridge.engine.games.form import OF_THE_POT
from tablebridge.engine.hand import Hand
from tablebridge.engine.notes import Notes
from tablebridge.model.events import PotCount


def pot_count(hand: Hand, notes: Notes, event: PotCount) -> None:
    """The dealer announces the pot (pot-limit). If it was announced too low, a bet made on it is put right by
    a second, right count, until substantial action behind it (52-B).
    """
    if hand.form.limit not in OF_THE_POT:
        notes.ignored = "The pot is counted in pot-limit only."
        return
    if not hand.round.open:
        return
    announced = hand.announced_pot
    if announced.bet is None or hand.round.to_act is None:
        announced.announce(event.amount)
        if event.amount != hand.chips.pot():
            hand.find(notes, "pot-count-wrong")
        return
    seat, pot, actions, chip_actions = announced.bet
    behind, with_chips = hand.round.actions - actions, hand.round.chip_actions - chip_actions
    if (
        event.amount == pot
        and hand.chips.bet[seat] < pot
        and not substantial_action.amounts_to(hand, behind, with_chips)
    ):
        hand.find(
            notes,
            "underbet",
            "pot-count",
            seat=seat,
            case="pot-count",
        )
        _put_right(hand, pot)
    notes.rule(
        seat,
        "bet" if hand.round.raises <= 1 and hand.street != hand.form.first.name else "raise",
        hand.chips.bet[seat],
    )
    announced.settle()


def _put_right(hand: Hand, total: int) -> None:
    """A bet is raised to `total` for its bettor and all who called it."""
    least = hand.round.least + total - hand.round.level
    for seat in hand.live_order():
        if hand.chips.bet[seat] == hand.round.current:
            hand.chips.pay(seat, total - hand.chips.bet[seat])
    hand.round.set_bet(total, least)
