"""TDA 2022. RP-n is a recommended procedure."""

from typing import Final

from tablebridge.rulebooks.clause import Clause
from tablebridge.rulebooks.clauses import games

_DECK: Final = (
    Clause(
        "26",
        "detects",
        "A new deck comes at the dealer's push, at a new level or when the house wants it; no player may "
        "ask.",
    ),
    Clause(
        "35-A(1)", "rules", "Two boxed cards or more in the initial deal are a misdeal; one alone is not."
    ),
    Clause("35-A(2)", "rules", "It is a misdeal when the first card goes to a wrong seat."),
    Clause("35-A(3)", "rules", "It is a misdeal when a seat that is not entitled to a hand is dealt cards."),
    Clause("35-A(4)", "rules", "It is a misdeal when a seat that is entitled to a hand gets none."),
    Clause(
        "35-A(5)",
        "rules",
        "A hand with a wrong number of cards is a misdeal, the button short of a card excepted (37).",
    ),
    Clause("35-A(6)", "rules", "A card that the game does not use is a misdeal until substantial action."),
    Clause(
        "35-A(7)",
        "rules",
        "In flop games it is a misdeal when the dealer exposes one of the first two cards off the deck, "
        "or any two downcards; draw games follow the house.",
    ),
    Clause("35-B", "rules", "The button may be dealt two cards in a row; that is no error."),
    Clause(
        "35-C",
        "rules",
        "A re-deal repeats the deal exactly: same button, players and limits. Who was absent or on penalty "
        "is dealt in again and the hand killed; both deals are one hand of a penalty.",
    ),
    Clause(
        "35-D",
        "rules",
        "After substantial action there is no misdeal any more, unless the deck is fouled; a card that the "
        "game does not use is then a scrap of paper.",
    ),
    Clause(
        "35-E",
        "rules",
        "Two cards of one rank and suit foul the deck. Whenever it is found in the hand, play stops and "
        "all bets go back; the house may name further reasons.",
    ),
    Clause(
        "36",
        "rules",
        "Substantial action is two actions in turn of which one puts chips in, or any three; posted blinds "
        "do not count.",
    ),
    Clause(
        "37",
        "rules",
        "A button with too few cards says so and gets the missing one, even after substantial action; if it "
        "has acted on the short hand, the hand is dead.",
    ),
    Clause(
        "38",
        "rules",
        "A hand killed for its number of cards is mucked whole, and each street has one burn, never two: "
        "nobody puts the order of cards back.",
    ),
    Clause(
        "39-A",
        "rules",
        "Of a flop with four cards one, taken blindly after a scramble, is the next burn; the other three "
        "are the flop. The floor is called.",
    ),
    Clause(
        "39-B",
        "rules",
        "A flop without its burn is scrambled before any action: one card becomes the burn and the stub's "
        "next completes the flop. After any action the flop stands, and the turn has its one burn.",
    ),
    Clause("39-D", "prompts", "Whatever is shuffled again during a hand is shuffled face down."),
    Clause(
        "RP-4",
        "prompts",
        "A dropped stub is put back in order if that can be done; if not, the stub alone is scrambled, "
        "shuffled and cut, with all that it was mixed with.",
    ),
    Clause(
        "RP-5-A",
        "rules",
        "A flop before its time goes back into the stub, which is shuffled; its burn stays, and the flop "
        "is dealt without another.",
    ),
    Clause(
        "RP-5-B",
        "rules",
        "A turn before its time goes back into the stub, which is shuffled; its burn stays, and the turn "
        "is dealt without another.",
    ),
    Clause(
        "RP-5-C",
        "rules",
        "A river before its time goes back into the stub, which is shuffled; its burn stays, and the "
        "river is dealt without another.",
    ),
    Clause(
        "RP-5-D",
        "rules",
        "A stud card before its time goes back into the stub, which is shuffled; the street is dealt "
        "without another burn.",
    ),
    Clause("RP-14", "prompts", "If no rule puts an error right, the floor may let chance decide."),
)

_BETTING: Final = (
    Clause("3", "records", "Bets are made in the usual words; tapping the table is a check."),
    Clause(
        "40-A",
        "rules",
        "Of words and chips the first counts; of both at once clear words; where they contradict each "
        "other, the floor decides.",
    ),
    Clause("40-B", "rules", "Words may be general, an amount, or both."),
    Clause(
        "40-C", "rules", "An amount said without more is the same as chips of that amount pushed forward."
    ),
    Clause(
        "41",
        "rules",
        "A call is the word, the exact chips, one silent oversized chip, or chips that the rule on several "
        "chips makes a call; one tiny chip against a big bet is the floor's.",
    ),
    Clause("42", "rules", "A raise comes in one motion, or its full amount is said first."),
    Clause(
        "43-A",
        "rules",
        "A raise adds at least the largest full bet or raise of the round. From half of that it is made "
        "good; below, it is a call, unless raise was said or the seat is all-in.",
    ),
    Clause("43-B", "rules", "Raise with an amount names the total of the bet."),
    Clause(
        "44",
        "rules",
        "One oversized chip facing a bet is a call, also the last chip; after the word raise it is as large "
        "a raise as the chip allows; with nothing to face it is a bet of the chip.",
    ),
    Clause("45-A", "rules", "Several chips are a call when none of them can be spared, also the last ones."),
    Clause(
        "45-B(1)",
        "rules",
        "When one of several chips can be spared, half a raise decides between raise and call.",
    ),
    Clause("45-B(2)", "rules", "Last chips of which one can be spared are all-in, however short the raise."),
    Clause(
        "46-A",
        "nothing",
        "Who faces a raise with chips in front says the action before he adds chips to them.",
    ),
    Clause(
        "46-B", "rules", "Who pulls back chips of an earlier bet facing a raise is bound to call or raise."
    ),
    Clause(
        "46-C(1)",
        "rules",
        "Where earlier chips do not cover the call and are left alone or pulled back whole, one new "
        "oversized chip is a call and several follow the half-raise rule.",
    ),
    Clause(
        "46-C(2)",
        "rules",
        "Where earlier chips are pulled back in part or cover the call, all chips together are a raise "
        "from half a raise on, else a call.",
    ),
    Clause(
        "47-A",
        "rules",
        "In no-limit and pot-limit all-ins short of a full raise open the betting again only to who, in "
        "sum, faces at least a full raise; the least raise stays the last full one.",
    ),
    Clause("47-B", "rules", "In limit half a bet is enough to open the betting again."),
    Clause(
        "48",
        "rules",
        "No-limit and pot-limit have no cap on raises. In limit the house's cap holds, heads-up too, until "
        "two players are left in the event.",
    ),
    Clause("49", "rules", "Who calls accepts the real amount, whatever was told."),
    Clause("50-A", "rules", "An action in turn binds."),
    Clause("50-B", "prompts", "A player waits until the amount of a bet is clear."),
    Clause("51-A", "rules", "A general word in turn binds to the full bet."),
    Clause(
        "51-B",
        "rules and prompts",
        "Less than the call, call not having been said, is a full call heads-up or against the "
        "opening bet; elsewhere the floor chooses between a full call and a fold that forfeits the chips.",
    ),
    Clause(
        "51-C",
        "prompts",
        "After several undercalls in a row play goes back to the first, and the floor rules on the rest.",
    ),
    Clause(
        "52-A",
        "rules",
        "In limit and no-limit a bet or raise below the minimum is made good by all of the street, on the "
        "river until the showdown.",
    ),
    Clause(
        "52-B",
        "rules",
        "A pot-limit bet made on a wrong count is cut for all of the street if it was too high, and made "
        "good until substantial action behind it if too low.",
    ),
    Clause(
        "53-A",
        "rules",
        "Action out of turn goes back to the right player. It binds unless the action changed, and goes "
        "back with all choices if it did; a fold out of turn always binds.",
    ),
    Clause(
        "53-B",
        "prompts",
        "Substantial action past a silent player who had time stands; the floor rules on the hand that "
        "was skipped.",
    ),
    Clause("54-A", "records", "Only pot-limit players may ask for the pot."),
    Clause(
        "54-B",
        "rules",
        "In pot-limit a short all-in blind does not make the first bet smaller; after the flop the real "
        "pot counts.",
    ),
    Clause("54-C", "rules", "Pot, said in no-limit, binds to a valid bet, or to a valid raise."),
    Clause("55", "rules", "Check, said facing a bet, leaves a call or a fold."),
    Clause("55-A", "rules", "Call, said with nothing to call, is a check."),
    Clause("55-B", "rules", "Raise, said with nothing to raise, is at least a least bet."),
    Clause("56", "detects", "A bet in several motions is not allowed; the dealer calls it."),
    Clause(
        "57",
        "rules",
        "An amount that can mean several things means the highest that the pot covers, bets in front "
        "included.",
    ),
    Clause("58", "rules", "A fold with no bet to face, or out of turn, binds and may be penalised."),
    Clause("59-A", "prompts", "A statement on a condition may bind or be penalised."),
    Clause("59-B", "prompts", "Who acts before the amount of a bet is known may be held to any amount."),
    Clause("60", "nothing", "An exact count may be asked for only facing an all-in and in turn."),
    Clause("61", "rules", "Chips above the call in the hope of change are ruled as several chips."),
    Clause("62", "prompts", "Whether chips found behind an all-in are in play is the floor's to say."),
    Clause("RP-1", "detects", "The dealer puts an all-in button before a player who is all-in."),
    Clause("RP-2", "nothing", "Bets are not pulled in while the round goes on."),
    Clause("RP-12", "nothing", "The dealer announces bets, and counts an all-in only when asked."),
)

_SHOWDOWN: Final = (
    Clause("12", "rules", "The cards speak; words about them do not bind."),
    Clause("13-A", "detects", "A hand is tabled when all its cards lie face up and can be read."),
    Clause(
        "13-B",
        "prompts",
        "Who mucks without having tabled all cards has no claim, unless every card can be found and named.",
    ),
    Clause("13-C", "rules", "The dealer cannot kill a properly tabled hand that clearly wins."),
    Clause(
        "14",
        "records",
        "Cards thrown away face down may still be tabled while they can be found; in the muck they are dead.",
    ),
    Clause(
        "15-A",
        "detects",
        "Who shows one card of a winning hand is told to table all; if not, the floor is called.",
    ),
    Clause(
        "15-B",
        "rules",
        "The hand of a bettor who throws it away too soon is held; once it is gone, called bets stay and "
        "the uncalled part goes back.",
    ),
    Clause(
        "16",
        "rules",
        "When a player is all-in and nobody can bet any more, all hands are turned up at once, for main and "
        "side pots.",
    ),
    Clause(
        "17-A",
        "rules",
        "The last aggressor of the last round shows first; after a round of checks, who acted first in it.",
    ),
    Clause("17-B", "rules", "When all others muck, the last hand wins unseen."),
    Clause("18-A", "rules", "Who has no cards any more has no right to ask for a hand."),
    Clause(
        "18-B",
        "rules and prompts",
        "Who called the river and kept or tabled the cards may see the last aggressor's hand; "
        "everything else is the floor's.",
    ),
    Clause("19", "rules", "Who plays the board tables all hole cards."),
    Clause(
        "20-A",
        "rules",
        "In board games the odd chip, in the smallest denomination, goes to the first seat left of the "
        "button.",
    ),
    Clause("20-B", "rules", "In stud the odd chip goes to the high card by suit in the winning five."),
    Clause(
        "20-C",
        "rules",
        "The odd chip of a high-low pot goes to the high side; hands that are the same both ways split "
        "each half by itself.",
    ),
    Clause("21", "rules", "Each side pot is split by itself."),
    Clause(
        "22",
        "detects",
        "The reading of a hand may be disputed until the next hand, the accounting until substantial "
        "action in it; at a break for one minute.",
    ),
    Clause(
        "23",
        "rules",
        "A new level is of the next hand. A hand begins with the first riffle, the shuffler's button or the "
        "dealer's push, and keeps a wrong level after substantial action.",
    ),
)

_PRESENCE: Final = (
    Clause("2", "nothing", "A player with a live hand stays at the table and speaks up at an error."),
    Clause(
        "7",
        "records",
        "A player who began in a wrong seat goes to the right one with the chips that he has now.",
    ),
    Clause(
        "8-A",
        "rules",
        "Late players, alternates and re-entries have a full stack and are dealt in at once, but between "
        "button and small blind.",
    ),
    Clause("8-B", "records", "Chips that are given up for a new stack leave play."),
    Clause(
        "10-A",
        "rules",
        "Who comes from a broken table is dealt in at once, but between button and small blind.",
    ),
    Clause("27", "rules", "A rebuy that is declared before a hand plays behind and must be made."),
    Clause("10-B", "rules", "Seats of a broken table are drawn in two random steps."),
    Clause(
        "11-A",
        "rules",
        "To balance tables, the next big blind moves to the worst seat, which is never the small blind.",
    ),
    Clause("11-B", "rules", "In mixed games the button is frozen while stud is played."),
    Clause("11-C", "nothing", "From which table a player moves follows a procedure fixed beforehand."),
    Clause("11-D", "rules", "A table three players short or more halts when the blinds are touched."),
    Clause(
        "24-A",
        "rules",
        "Odd chips are raced for, with cards from seat 1 upwards, one chip a player at the most; who would "
        "have none left is given one, and nobody is raced out.",
    ),
    Clause("24-B", "nothing", "Chips are in view before a race, and players may watch."),
    Clause(
        "24-C",
        "rules",
        "Chips found after the race are changed at equal value; what does not reach one that plays is gone.",
    ),
    Clause("25-B", "detects", "A player may be coloured up at any time, which is announced."),
    Clause("25", "records", "Chips are stacked so that they can be counted, high ones in view."),
    Clause("28", "detects", "Cards that would have come are not turned up when the hand is decided."),
    Clause(
        "29",
        "rules",
        "A player on the clock has up to 25 seconds and a countdown of five; then the hand is dead facing a "
        "bet, otherwise checked. A tie goes to the player.",
    ),
    Clause(
        "30",
        "rules",
        "A hand is live only if its player is at the seat when the last card of the initial deal is dealt; "
        "if not, it is killed and blinds and antes stay.",
    ),
    Clause("31", "detects", "With a live hand a player stays at the table until the showdown."),
    Clause("32", "rules", "The button is a dead button."),
    Clause("33", "prompts", "Dodging a blind is penalised."),
    Clause(
        "34",
        "rules",
        "Heads-up the button is the small blind, first to act before the flop and last after it; nobody is "
        "big blind twice in a row when it comes to that.",
    ),
    Clause(
        "65-A",
        "rules",
        "A hand killed or fouled that nobody can name has no redress; called bets stay, an uncalled bet "
        "goes back.",
    ),
    Clause("65-B", "prompts", "A fouled hand that can be named stays in play."),
    Clause("66", "rules", "In stud, picking up the upcards facing action kills the hand."),
    Clause("68", "rules", "Exposing cards with action pending may be penalised and does not kill the hand."),
    Clause("63", "records", "Chips are not carried or held out of view."),
    Clause("67", "records", "One player to a hand."),
    Clause("69", "prompts", "Chip dumping and collusion disqualify."),
    Clause(
        "71-A",
        "rules",
        "A missed round is one hand for each player at the table when the penalty is given, the offender "
        "included; repetition is punished harder.",
    ),
    Clause(
        "71-C",
        "rules",
        "A player on penalty is dealt in and posts blinds, antes and bring-in; the hand is killed after "
        "the initial deal.",
    ),
    Clause("70", "records", "Breaches of etiquette, repeated, are penalised."),
    Clause("71-B", "records", "Soft play, abuse, disruption, cards thrown and cheating are penalised."),
    Clause("71-D", "rules", "The chips of a disqualified player leave play."),
)

_PROCEDURES: Final = (
    Clause("RP-7", "detects", "There is no dealer push in the last 90 seconds before a break or a level."),
    Clause("RP-8-A", "rules", "Who go out in one hand of hand-for-hand share what is paid for their places."),
    Clause("RP-8-B", "rules", "Hand-for-hand takes two minutes a hand off the clock."),
    Clause(
        "RP-8-F",
        "rules",
        "Hand-for-hand, after an all-in and a call, cards stay down and nothing is dealt until told.",
    ),
    Clause(
        "RP-9",
        "rules",
        "A final table has nine seats, made of two tables of five; in six- and seven-handed events "
        "seven, made of two tables of four.",
    ),
    Clause(
        "RP-10-A",
        "rules",
        "In stud a downcard exposed in the initial deal is the upcard, and third street comes down.",
    ),
    Clause(
        "RP-10-B",
        "rules",
        "A seventh-street card that the dealer exposes is replaced while there is betting to come.",
    ),
    Clause("RP-10-C", "detects", "Fourth street brings no card to a hand that is not live."),
    Clause(
        "RP-10-D", "rules", "Of equal hands showing, the one whose highest card has the higher suit starts."
    ),
    Clause(
        "RP-10-E",
        "rules",
        "When the low card is all-in for the ante, the seat to its left starts with the bring-in at "
        "least, or folds.",
    ),
    Clause("RP-10-F", "rules", "A pair on fourth street does not double the bet."),
    Clause(
        "RP-10-H",
        "rules",
        "When the stub is short for seventh street, the burns are shuffled in if they suffice; "
        "otherwise one community card is dealt for all.",
    ),
    Clause("RP-15", "prompts", "The next dealer is to know of warnings and penalties at the table."),
    Clause("RP-11", "records", "Antes are not reduced in the course of an event."),
    Clause("RP-17", "rules", "In single draw a player may limp in."),
    Clause("RP-13", "nothing", "In split-pot games the dealer stacks the pot now and then."),
    Clause("RP-16", "nothing", "Staff moves the chips of a player who is absent when the table is broken."),
    Clause("RP-19", "nothing", "The house says what it does against stalling."),
    Clause("RP-3", "nothing", "Belongings do not lie on or about the table in the way of others."),
    Clause("RP-6", "nothing", "Players are moved to other tables quickly."),
    Clause("RP-8-C", "rules", "The clock is set back by two minutes with each hand, not after several."),
    Clause("RP-8-D", "rules", "Levels go up at that rate, as time is used up."),
    Clause("RP-8-E", "nothing", "Players need not stay seated during hand-for-hand play."),
    Clause("RP-18", "nothing", "In mixed games stud and stud high-low need not follow one another."),
)

_GENERAL: Final = (
    Clause("1", "nothing", "Fairness goes before technical rules, and what the floor decides is final."),
    Clause("4", "nothing", "Players can be recognised at all times."),
    Clause("5", "nothing", "Phones and other devices do not disturb the game."),
    Clause("6", "nothing", "The house announces which languages are spoken at the table."),
    Clause("9", "nothing", "The house does what it can for players with special needs."),
    Clause("64", "nothing", "Chips without an owner leave play."),
)

CLAUSES: Final = _DECK + _BETTING + _SHOWDOWN + _PRESENCE + _PROCEDURES + _GENERAL + games.CLAUSES
