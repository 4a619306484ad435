// The system's libpq, wherever its header is: Debian has it in a folder of its own.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
