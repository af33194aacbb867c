"""The forms of why the set-up process has not done a wish, and of what keeps its site file from being
written.
"""

from typing import Final

SET_UP: Final = (
    # devices
    "The site runs and drives its lights itself: call the floor, or end the site first.",
    "The light {device} does not work: step 1 says why.",
    "Write a port as in the site file, such as /dev/ttyS0 or socket://192.168.7.5:10001.",
    "{port} is in the list already.",
    "Adopting is closed: open it first. It closes by itself after four minutes.",
    "{port} is the device {device} already: a device is added once only.",
    "Nothing is known at {port}: plug it in, or add the port first.",
    "It is being spoken to already: wait until that ends.",
    "No driver can be tried at {port}: choose the driver by its name.",
    "There is no device {device}.",
    "The port does not open. Is another program using it?",
    "Nothing that makes sense came from it. Check power and cable, choose another driver, and press its "
    "button or lay a card on it if it only speaks then.",
    "It answered once and fell silent. Check power and cable.",
    # places
    "No place has an antenna yet: step 2 lays the test card on each.",
    "No seat has an antenna yet: step 2 lays the test card on each.",
    "No antenna has read anything yet: choose a reader in step 1, and lay a card on it.",
    "Measure every place first, or skip it: then the lines are written.",
    "Nothing is measured: begin the calibration first.",
    "a table's name is up to 32 of a-z, 0-9, _ and -, and begins with a letter or a figure.",
    "no place is called {name}; places are {names}.",
    "no contact is called {name}; contacts are {names}.",
    "{name} are no seats; write 1-9, or 1 2 4 7; seats are 1 to 10.",
    "{name} are no seats; write two or more, each once, from the lowest to the highest.",
    "{places} are on the same antenna ({spot}): no reading could say at which of them a card lies. Lay the "
    "card again, or move the antennas apart.",
    # decks
    "The deck {deck} may be in play: a hand is under way at table {table}. Enrol it when the hand is over, "
    "or take the deck from that table in the site file.",
    "{name} is no kind of deck; kinds are {names}.",
    "Nothing to take back: no card was enrolled since you began.",
    "There is no deck {deck}: enrol it first.",
    "{count:n} cards of the deck {deck} have no tag yet: enrol them first.",
    "No deck is being checked.",
    # lights, people, the test hand
    "Have the light show something first.",
    "{name} is notified already: a name is used once.",
    "{file} is there already: write both addresses in it.",
    "Nothing changes: add a person with a phone first.",
    "{name} has no phone that is notified by an ntfy server.",
    "This is no address: write http://HOST:PORT or https://HOST.",
    "No test hand is dealt: begin one first.",
    # steps and the site file
    "{file} cannot be written ({why}): make room on the disk, or check its rights.",
    "The tables of this file were written by hand, and are not changed here: enter the lines yourself.",
    "A step is skipped with a reason, of {most} characters at most: the doctor repeats it.",
    "This step is not open, so there is nothing to skip.",
    "The doctor examines the box already: wait for it.",
    "The doctor has the devices now: wait until it has examined the box.",
    "No device was chosen yet: step 1 does that.",
)
