"""What follows from the faces of a picture for the broadcast: made hands, equities, outs. Pure functions of
the picture, called where it is shown; nothing here knows the table or the deck.
"""
