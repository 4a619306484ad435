// The system's SQLite, and as functions what it has as macros that Swift cannot read.
#include <sqlite3.h>

/// Has SQLite copy the bytes that a statement is given.
static inline sqlite3_destructor_type flipside_sqlite_transient(void) { return SQLITE_TRANSIENT; }
