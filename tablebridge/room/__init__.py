"""A room of tables: who moves where, when play halts, how a table is broken, who is out in which place, and
what is paid. A room is a fold like a table: events in, duties and findings out, no clock and no I/O. No hand
is played in it: of a table it knows the seats, and where button and blinds of the last hand stood.
"""
