"""Alters one byte of an event in a log, as somebody with the file in hand could: alter.py LOG TYPE"""

import sqlite3, sys

database = sqlite3.connect(sys.argv[1])
columns = [row[1] for row in database.execute("PRAGMA table_info(records)")]
assert "shown" in columns, columns
row = database.execute(f"SELECT position, shown FROM records WHERE CAST(shown AS TEXT) LIKE '%{sys.argv[2]}%' LIMIT 1").fetchone()
altered = bytes(row[1])
altered = altered.replace(b'"seat":', b'"seaT":')
assert altered != bytes(row[1])
database.execute("UPDATE records SET shown = ? WHERE position = ?", (altered, row[0]))
database.commit()
