"""A whole room on one machine: nats-servers, PostgreSQL, tables that are dealt at, for people to see and for
tests.
"""
