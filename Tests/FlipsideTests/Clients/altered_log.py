"""A log with altered records, as anyone with access to the file could make it."""

import sqlite3


def alter(log, kind, old, new):
    """Changes bytes in the first record of a kind."""
    with sqlite3.connect(log) as database:
        query = f"SELECT position, shown FROM records WHERE CAST(shown AS TEXT) LIKE '%{kind}%' ORDER BY position"
        position, shown = database.execute(query).fetchone()
        assert old in bytes(shown)
        database.execute("UPDATE records SET shown = ? WHERE position = ?", (bytes(shown).replace(old, new), position))
