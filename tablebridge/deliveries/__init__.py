"""What is sent to receivers elsewhere: queues that are kept on disk, are bounded, and are tried again."""
