"""Drivers that come with tablebridge: each a pure decoder and session, as `tablebridge.sdk` has them."""
