"""The gateway beside a bare aiohttp pass-through: time to the first byte, events a second, memory.

    python -m benchmarks.gateway            everything, about two minutes
    python -m benchmarks.gateway --quick    a look

One process is both the model's server and its clients (`load`), so it knows of every event when it was sent and when it
arrived. Between them stands, turn by turn, the gateway or the pass-through, each in a process of its own (`served`).
"""
