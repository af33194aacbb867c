"""The clauses of each rulebook that a table can notice, rule on, prompt for or record, in our own words, a
module a book.
"""
