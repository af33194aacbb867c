"""What moves of single cards mean at a table. The entrance is `assembler.py`.

`record.py` is where the record has cards, `pending.py` a card that waits for its event; `deals.py`,
`board.py`, `mucks.py` and `departures.py` are what they wait for. `clones.py` and `presence.py` follow the
same reports for copied tags and for what people may see of the cards before the seats.
"""
