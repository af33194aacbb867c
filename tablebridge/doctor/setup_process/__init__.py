"""The process behind the set-up page. It alone opens devices, and listens on a socket of this machine alone;
the process that speaks HTTP has no right on any device. It ends with the set-up.
"""
