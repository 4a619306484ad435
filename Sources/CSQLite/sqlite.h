// The system's SQLite, and as functions what it has as macros that Swift cannot read.
#include <sqlite3.h>

/// Has SQLite copy the bytes that a statement is given.
static inline sqlite3_destructor_type flipside_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Whether closing `database` leaves its write-ahead log as it is, instead of emptying and deleting it.
static inline int flipside_sqlite_keep_journal(sqlite3 *database, int is_kept) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_kept, (int *)0);
}
