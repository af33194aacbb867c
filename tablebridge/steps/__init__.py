"""The steps from a bare box to a table that works: what is asked, what is found, what is still missing. Pure.

The terminal (`tablebridge setup`, `enrol`, `doctor`) and the set-up page are two faces of these modules.
"""
