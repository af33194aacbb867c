"""How decks and chips become known, and whether a deck is whole: pieces laid on an antenna, outside play."""
