#!/bin/sh
# Inside the machine: runs the tests and ends QEMU with their exit code (isa-debug-exit: twice the byte and one).
echo "== systemd is up"
modprobe vhci-hcd
.venv/bin/python -m pytest -v --timeout=400 --no-summary --tb=short --color=no --confcutdir=tests/vm -p no:cacheprovider -p no:anyio -p no:xdist -p no:hypothesispytest $(sed -n 's/.*vm_tests=\([^ ]*\).*/\1/p' /proc/cmdline | tr ',' ' ')
printf "\\$(printf %o $?)" | dd of=/dev/port bs=1 seek=1281 2>/dev/null
