// Swift sees the C library's streams as variables that anything might change. Nothing here changes them.
@preconcurrency import Glibc

/// The standard streams, in the state in which the program's starter left them.
enum StandardStreams {
    /// Opens closed ones on /dev/null. Otherwise the next file or socket would get their number and be written to.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number, which is this one.
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }

    /// Writes out what was printed.
    /// - Throws: if anything printed so far could not be written.
    static func flush() throws(CommandLineError) {
        guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
        let reason = String(cString: strerror(errno))
        clearerr(stdout)
        throw CommandLineError("Not all output could be written: \(reason).")
    }

    /// Prints bytes as they are.
    /// - Throws: if they cannot be written.
    static func write(_ bytes: [UInt8]) throws(CommandLineError) {
        if fwrite(bytes, 1, bytes.count, stdout) != bytes.count { try flush() }
    }

    /// Prints a text on standard error, if that works.
    static func say(_ text: String) { fputs(text, stderr) }
}
