"""Games against the house: which bets there are, what they pay, and how they are settled."""
