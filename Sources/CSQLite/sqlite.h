// The system's SQLite, and as functions what it has as macros that Swift cannot read.
#include <sqlite3.h>

/// Has SQLite copy the bytes that a statement is given.
static inline sqlite3_destructor_type flipside_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Reads `count` bytes of a database's file, as they are, through SQLite's own descriptor: closing another one would
/// take SQLite's locks away.
static inline int flipside_sqlite_read_file(sqlite3 *database, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return SQLITE_ERROR;
    return file->pMethods->xRead(file, bytes, count, offset);
}

/// Whether closing `database` leaves its write-ahead log as it is, instead of emptying and deleting it.
static inline int flipside_sqlite_keep_journal(sqlite3 *database, int is_kept) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_kept, (int *)0);
}
