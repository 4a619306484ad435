import Foundation
import Glibc
import Logging
import Rooms
import Synchronization
import Threads
import Transport

/// Writes lines of the log to a descriptor on a thread of its own, so that no loop waits for the reader. Lines that do
/// not fit into the queue or cannot be written are dropped and counted. Once writing works again, a line says how many.
public final class LogOutput: Sendable {
    /// Most waiting lines: those of a second or two with an access log, in at most 64 MiB and usually in one.
    static let lineLimit = 4_096
    /// The longest line in bytes. Of a longer one only the start of its message is kept.
    static let lengthLimit = 16_384
    private static let cutLength = 1_000
    /// How long the process waits for its last lines at the end.
    private static let closingTime = Duration.seconds(1)

    private let format: LogFormat
    private let source: any TimeSource
    private let lines: Mailbox<[UInt8]>
    private let dropped: DroppedLines
    private let hasEnded = Latch()

    /// To standard error, with the system's time. Throws if the system gives no thread.
    public convenience init(_ format: LogFormat) throws(ThreadError) {
        try self.init(format, SystemTime(), descriptor: STDERR_FILENO)
    }

    init(
        _ format: LogFormat, _ source: any TimeSource, descriptor: Int32, lineLimit: Int = lineLimit
    ) throws(ThreadError) {
        let (lines, dropped) = (Mailbox<[UInt8]>(limit: lineLimit), DroppedLines())
        (self.format, self.source, self.lines, self.dropped) = (format, source, lines, dropped)
        _ = try SystemThread("log lines") { [hasEnded] in
            while let waiting = lines.takeAll() {
                for line in waiting where !Self.write(line, to: descriptor) { dropped.add() }
                let missing = dropped.unsaid
                if missing > 0, Self.write(Self.line(missing, format, source), to: descriptor) { dropped.said(missing) }
            }
            hasEnded.open()
        }
    }

    /// Lines dropped so far.
    public var droppedCount: Int { dropped.count }

    /// Queues a line. Never waits.
    func log(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        let time = source.read().wall
        var line = format.line(level, message, metadata, at: time)
        if line.count > Self.lengthLimit {
            let part = metadata.filter { $0.key == HubLoggers.key }
            line = format.line(level, message.prefix(Self.cutLength) + "…", part, at: time)
        }
        if lines.post(line) != .taken { dropped.add() }
    }

    /// The process is about to end. Waits at most a second for the last lines to be written.
    public func close() { close(within: Self.closingTime) }

    func close(within time: Duration) {
        lines.close()
        _ = hasEnded.wait(time)
    }

    private static func line(_ missing: Int, _ format: LogFormat, _ source: any TimeSource) -> [UInt8] {
        format.line(
            .warning, "lines of this log were dropped", ["count": .stringConvertible(missing)], at: source.read().wall)
    }

    /// Whether all of it was written. False if the reader has gone (EPIPE) or the disk is full (ENOSPC).
    private static func write(_ line: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < line.count {
            let count = line[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                // The parent process may have made the descriptor nonblocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// How many lines were dropped on any thread, and how many of these were reported.
private final class DroppedLines: Sendable {
    private let all = Atomic(0)
    private let mentioned = Atomic(0)

    var count: Int { all.load(ordering: .relaxed) }
    var unsaid: Int { count - mentioned.load(ordering: .relaxed) }

    func add() { all.wrappingAdd(1, ordering: .relaxed) }
    func said(_ count: Int) { mentioned.wrappingAdd(count, ordering: .relaxed) }
}
