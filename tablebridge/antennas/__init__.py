"""How well antennas read and tags answer, measured from readings without a record of what was right. Pure.

`dwell.py` counts while cards lie under antennas, `calibration.py` learns rates from the counts, `drift.py`
finds antennas that read worse than they did, `guide.py` measures with one card that a person lays, `wear.py`
finds tags that answer more and more rarely.
"""
