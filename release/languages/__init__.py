"""The catalogues of the languages: what is to be translated, and the way of a new text into them.

`make languages` brings the catalogues up to date and lists what has no translation in a sheet; `make
languages SHEET=FILE` reads a sheet that was filled in. docs/languages.md has the rules.
"""
