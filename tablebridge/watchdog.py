"""READY, WATCHDOG and STOPPING for systemd, fed by work done."""
