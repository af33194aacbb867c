"""Pages, REST and live streams: what people see. It talks to the bus alone and never opens a journal."""
