"""Puts tablebridge in place on a box and takes it away again: users, folders, rules for udev, units, the
broker's settings and accounts. `files/` holds what is put in place; nothing else in the repository has a
copy.

    manifest.py   what an installation left on the disk, and whether it ended
    machine.py    the machine, or the folder that becomes the root of another one
    placing.py    one file in its place: written, kept, or the new one put beside it
    checks.py     what must hold before anything is changed
    accounts.py   the broker's accounts
    site.py       the units that a site file names
    installer.py  the whole, in its order
    removal.py    the way back
"""
