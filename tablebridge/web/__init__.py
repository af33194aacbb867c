"""Pages, REST and live streams: what people see. It uses the bus only and never opens a journal."""
