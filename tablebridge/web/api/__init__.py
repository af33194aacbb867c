"""REST: the state of tables, alerts and devices, and the commands of people. Every refusal is `{"sentence":
...}`.
"""
