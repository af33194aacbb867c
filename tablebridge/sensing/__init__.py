"""From noisy readings to table events. Pure: the same calls give the same conclusions.

`sensor.py` is the entrance. `tags/` knows what a tag is, `cards/` where each card lies, `events/` what its
moves mean at a table, `chips/` what chips do, `devices/` what contacts, shuffler and devices say besides,
`enrolment/` how decks and chips become known. `dynamics.py` has what is assumed of people, cards and chips.
"""
