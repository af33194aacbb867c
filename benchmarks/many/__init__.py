"""What the benchmarks of a room of many tables share."""
