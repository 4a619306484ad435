// Swift has the C library's streams as variables that anything might change; nothing here does.
@preconcurrency import Glibc

/// The streams that every program is given, in the state that the one that started it has left them in.
enum StandardStreams {
    /// Opens those that are closed, on nothing. The next file or socket would else get their number, and be written to.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free: this one.
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }

    /// Sends what was printed on its way.
    /// - Throws: if not all that was ever printed could be written.
    static func flush() throws(CommandLineError) {
        guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
        let reason = String(cString: strerror(errno))
        clearerr(stdout)
        throw CommandLineError("What was printed could not all be written: \(reason).")
    }

    /// Prints bytes as they are.
    /// - Throws: if they cannot be written.
    static func write(_ bytes: [UInt8]) throws(CommandLineError) {
        if fwrite(bytes, 1, bytes.count, stdout) != bytes.count { try flush() }
    }

    /// Says something on the standard error, if that takes it.
    static func say(_ text: String) { fputs(text, stderr) }
}
