"""The pages of the room: one module per page with its view functions and its live stream."""
