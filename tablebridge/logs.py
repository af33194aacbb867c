"""Log set-up: one line when something is lost, one when it is back; never a face."""
