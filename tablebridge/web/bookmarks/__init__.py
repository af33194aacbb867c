"""Bookmarks of the house's video: a camera, a time, and why. Adapters bring them to video systems."""
