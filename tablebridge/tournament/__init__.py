"""The process of a room of tables: it keeps the room's record, follows what the tables report, says what is
due, and exchanges seats and results with tournament software.
"""
