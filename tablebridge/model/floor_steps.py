"""What the floor does about an alert for which the rulebook has no steps, or none but to call the floor.

The steps prepare a ruling and are none: what holds is said by the house's book. They change no finding and
are in no record; the floor's page shows them.
"""

from typing import Final

from tablebridge.model.findings import REMEDIES

_STOP: Final = "Stop the deal: no card moves until you have ruled."
_CAMERAS: Final = "Ask dealer and players what they saw, and look at the cameras."
_COUNT: Final = "Have the deck spread and counted: all cards of the game, none twice, all of one back."
_SHUFFLE_BY_HAND: Final = "Have the deck shuffled by hand until the shuffler works again."
_CALL_TECHNICIAN: Final = "Call the technician; the page Devices and `tablebridge doctor` say what is wrong."
_PLUG: Final = "Check its cable and its power, and plug it in again."
_DEAL_ON: Final = "Let the dealer deal on: a hand of which not all is read is closed as incomplete."
_GAME_GOES_ON: Final = "Let the game go on: what was recorded is not lost."

FLOOR_STEPS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("draw-wrong", "own-discard"): (
        _STOP,
        "Have the card set aside, and the next one of the stub dealt in its place.",
    ),
    ("old-level", ""): (
        "See whether there was substantial action in the hand.",
        "If there was none, have the blinds put right; else the hand is played at these stakes.",
    ),
    ("hand-for-hand", "dealt-on"): (
        _STOP,
        "Have the card that came too soon set aside, and wait for the other tables.",
        "Release the hand when all tables are done.",
    ),
    ("contradictory-bet", ""): (
        _STOP,
        "Ask what was said and heard, and see which chips were put in.",
        "Rule the amount of the bet.",
    ),
    ("entry", "illegal-seat"): (
        "See where the player was to sit, and since when.",
        "Have the player moved there with the chips that are his now.",
    ),
    ("blinds-dodged", ""): (
        "Ask why the player moved or was away, and look at the cameras.",
        "Rule whether blinds are owed, and whether a penalty follows.",
    ),
    ("chips-moved", "removed"): (
        "Have the chips put back on the table.",
        "Remind the player: chips leave the table only with the player.",
    ),
    ("chips-moved", "passed"): (
        "Have the chips given back.",
        "Warn both players: chips are not passed. If it happens again, look at the cameras.",
    ),
    ("table-full", ""): (
        "Find a seat at another table for the player.",
        "Have the hand dealt to the others.",
    ),
    ("race", "too-many"): ("Have the chips of the race counted.", "Have the chip too many taken back."),
    ("fouled-deck", ""): (_STOP, _COUNT, "Rule on the hand, and have the deck replaced before the next."),
    ("fouled-deck", "marked-card"): (
        _STOP,
        "Take the card and compare its back and edges with those of other cards.",
        "Rule on the hand, have the deck replaced, and keep the old one.",
    ),
    ("deck-swapped", ""): (
        _STOP,
        "Find out who brought this deck and where the checked one is; look at the cameras.",
        "Rule on the hand. Have the deck that stays spread face up and checked before the next.",
    ),
    ("not-shuffled", ""): (_STOP, _CAMERAS, "Rule whether the deck is shuffled and dealt again."),
    ("not-cut", ""): (_STOP, _CAMERAS, "Rule whether the deck is cut and dealt again."),
    ("shuffle-suspect", ""): (
        "Let the hand be played.",
        "Have the deck washed and shuffled by hand before the next.",
        "If it happens again, take the shuffler out of service, or watch how the dealer shuffles.",
    ),
    ("shuffler-fault", ""): ("Let the hand be played.", _COUNT, _SHUFFLE_BY_HAND),
    ("shuffler-fault", "jam"): (
        "Let the hand be played.",
        "Have the cards taken out as the shuffler's manual says.",
        _COUNT,
        _SHUFFLE_BY_HAND,
    ),
    ("shuffler-fault", "door"): ("Find out who opened the shuffler, and why.", _COUNT, _SHUFFLE_BY_HAND),
    ("shuffler-fault", "offline"): (_PLUG, _SHUFFLE_BY_HAND, _CALL_TECHNICIAN),
    ("shuffler-contradicted", ""): (_STOP, _COUNT, "Rule on the hand, and have the deck replaced."),
    ("nonstandard-card", ""): (
        _STOP,
        "Have the card taken aside, and show it to the players.",
        "Rule whether the hand goes on, and have the deck replaced before the next.",
    ),
    ("stub-wrong", ""): (_STOP, "Have the stub counted, face down.", "Rule how the next street is dealt."),
    ("burn-missing", ""): (
        _STOP,
        "Ask which cards left the stub since the last street, and in which order.",
        "Rule which card is the burn card, or that play goes on.",
    ),
    ("flop-count", ""): (
        "Have the cards stay where they are.",
        "Ask in which order they left the stub; look at the cameras.",
        "Rule which of them are the flop and which is the burn card.",
    ),
    ("premature-street", ""): (
        "Have the cards stay where they are: nobody acts on them.",
        "Ask who had still to act.",
        "Rule how the betting goes on and how the street is dealt.",
    ),
    ("extra-board-card", ""): (
        "Have the cards stay where they are: nobody acts on them.",
        "Ask in which order they left the stub; look at the cameras.",
        "Rule which card belongs to the board.",
    ),
    ("card-out-of-place", ""): (
        "Have the card stay where it is.",
        _CAMERAS,
        "Rule where it belongs and whether a hand is dead.",
    ),
    ("undercall", ""): (
        "Stop the action behind the seat.",
        "Ask what the player said and what chips came out.",
        "Rule whether the call is made good or the hand is folded.",
    ),
    ("out-of-turn", ""): (
        "Have the seat act whose turn it is.",
        "Then say to the seat that acted out of turn whether that binds, as the alert says.",
        "Warn the player if it was not the first time.",
    ),
    ("skipped-player", ""): (
        "Stop the action.",
        "Ask whether the seat had time to act.",
        "Rule whether the action goes back to it.",
    ),
    ("winner-mucked", ""): (
        "Stop the pot from being pushed.",
        "Find out which cards they were: who saw them, and what the cameras show.",
        "Rule who wins the pot.",
    ),
    ("pot-mismatch", ""): (
        "Have the pot stay where it is.",
        "Have the dealer count it, and compare with the bets of each street.",
        "Look at the cameras if it still differs, and rule who puts in or gets back what.",
    ),
    ("tray-mismatch", ""): (
        "Have the dealer count the tray by denomination while you watch.",
        "Find out which fill, credit or change of colour nobody entered, and have it entered.",
        "If it still differs, look at the cameras and report it to the cage.",
    ),
    ("stack-mismatch", ""): (
        "Have the player spread the stack flat, so that each chip is read.",
        "Have the dealer count it while you watch, and compare with the pots and purchases since it was "
        "right.",
        "If it still differs, look at the cameras, and rule what the stack is.",
    ),
    ("token-bet", ""): (
        _STOP,
        "Rule what it was: a call, an all-in, or nothing.",
    ),
    ("set-foul", ""): (
        "Have the seat set its hand again before the house's hand is compared.",
        "If the hands were compared already, rule whether the bet is lost.",
    ),
    ("foreign-chip", ""): (
        "Take the chip out of play, and keep it apart.",
        "Find out who brought it into play; look at the cameras.",
        "Have the cage examine it.",
    ),
    ("device-offline", ""): (_DEAL_ON, _PLUG, _CALL_TECHNICIAN),
    ("device-degraded", ""): (_DEAL_ON, _PLUG, _CALL_TECHNICIAN),
    ("device-degraded", "overload"): (
        "Look at whether something on the antenna does not belong there, and take it away.",
        "If it goes on, unplug the device: the others go on without it.",
        _CALL_TECHNICIAN,
    ),
    ("too-many-tags", ""): (
        "Take away what is on the antenna and not in play: decks, chips, badges.",
        _CAMERAS,
        _CALL_TECHNICIAN,
    ),
    ("set-aside", ""): (_GAME_GOES_ON, _CALL_TECHNICIAN),
    ("device-unknown", ""): (
        "Find out who plugged it in; look at the cameras.",
        "Unplug it if nobody can say what it is for, and keep it.",
        "If it belongs there, have the technician add it to the site file.",
    ),
    ("cloned-tag", ""): (
        _STOP,
        "Have both places searched: two cards, or two chips, have one tag.",
        "Rule on the hand. Have the deck replaced, and keep the old one with both cards.",
    ),
    ("journal-broken", ""): (
        "Let the game go on: a new record was begun.",
        "Write down the time, and who was at the box.",
        "Call the technician. The old record is evidence: nobody may change or delete it.",
    ),
    ("journal-restored", ""): (
        "Find out who restored the record, and why.",
        "Hands since that backup are not in this record: write down which.",
    ),
    ("notification-failed", ""): (
        "Have that person keep a page of the floor open, with sound, until it works again.",
        _CALL_TECHNICIAN,
    ),
    ("second-engine", ""): (
        "Write nothing at this table until one of the two engines is stopped.",
        "Call the technician: a box was restored or copied, and the old one still runs.",
    ),
}
"""By finding and cause; without a cause for all of its causes that have none of their own."""


def floor_steps(finding: str, cause: str | None, remedy: tuple[str, ...]) -> list[str]:
    """What the floor does, in order, as sentences: the steps of the rulebook, else those of this catalogue.
    Nobody at the table needs to call the floor any more.
    """
    prescribed = [REMEDIES.get(step, step) for step in remedy if step != "call-floor"]
    own = FLOOR_STEPS.get((finding, cause or ""), FLOOR_STEPS.get((finding, ""), ()))
    return prescribed or list(own)
