"""Where each card lies. The entrance is `card_filter.py`, what a filter is; `bayes_filter.py` is ours.

`rates.py` has how antennas read, `prior.py` where cards are likely to go. `placement.py` is one way in which
a card is placed, `card_state.py` everything believed of one card, `seat.py` the cards of one seat,
`weights.py` those of a whole hand; `unread.py` finds cards that no antenna reads, `cross_reads.py` learns
which antennas read cards of other places.
"""
