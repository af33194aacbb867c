"""What devices say that is no tag: contacts, the shuffler, their own health."""
