"""The conversations that devices have with a host, each with its turn taking done: a driver gives what is its
device's own.

    request_response    the device answers requests that differ, one at a time: a reader that is set up first
    polling             the device is asked the same again and again, and may speak by itself, too
    push                the device speaks by itself and takes no orders
    holding             the device names tags one at a time, each again and again while it lies there
    gathering           request and response with a reader that names one tag at a time, as UHF readers do

Each is a `Session` of `tablebridge.sdk.driver`, and a `Conversation`: a driver's class derives from it, gives
`heard`, and says in it what a frame means by `report`, `reject` and `prove_alive`. A device that has none of
these conversations derives from `Conversation` itself, or is a `Session` of its own. Each is imported from
its module: a driver's start loads no other.
"""
