"""Drivers that come with tablebridge: each a pure decoder and session, told by `tablebridge.sdk`."""
