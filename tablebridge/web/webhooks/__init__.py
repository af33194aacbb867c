"""Events for programs elsewhere: each is sent by HTTP to the addresses that the site file names."""
