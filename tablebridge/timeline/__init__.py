"""The timeline of a hand: what its record says, put in order for those who look at it afterwards.

Pure: rows of a journal in, items out. `replay` runs the engine over the records and masks what came of them,
`hand` is a hand as a whole with its gaps, and `trace` and `lanes` write it down for other programs.
"""
