// The system's zlib, and as a function what it has as a macro that Swift cannot read.
#include <zlib.h>

/// Begins a stream in the format of gzip (RFC 1952), with the best compression.
static inline int flipside_deflate_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
