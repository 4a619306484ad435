// The system's zlib, and as a function what it has as a macro that Swift cannot read.
#include <zlib.h>

/// Begins a stream in the format of gzip (RFC 1952): `level`, `window_bits` and `memory_level` are those of deflateInit2.
static inline int flipside_deflate_gzip(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits + 16, memory_level, Z_DEFAULT_STRATEGY);
}

/// Begins one without header and trailer (RFC 1951).
static inline int flipside_deflate_raw(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

/// Begins to undo one without header and trailer, made with any window.
static inline int flipside_inflate_raw(z_stream *stream) { return inflateInit2(stream, -15); }
