"""What a tag is: a card, a chip, or a stray."""
