import Foundation
import Games

/// A small file that says when the hub was last known to run: what lies between that and the next start was an outage.
final class AliveNote: Sendable {
    /// How often it is written. An outage may be taken to be longer by so much, never shorter.
    static let pause = 1.0

    private let url: URL
    private let stopped = DispatchSemaphore(value: 0)

    init(folder: String) { url = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("alive") }

    /// When the hub that ran before was last known to run, in ms since 1970; nil if none has.
    var last: Milliseconds? {
        // A note that cannot be read is one that was never written: the outage is then not known.
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Writes the note now and then, on a thread of its own, until `stop`; not while the log takes no writes, for then
    /// nobody can play.
    func start(whileTrue mayPlay: @escaping @Sendable () -> Bool) {
        Thread.detachNewThread { [self] in
            repeat { if mayPlay() { write() } } while stopped.wait(timeout: .now() + Self.pause) == .timedOut
            if mayPlay() { write() }
        }
    }

    func stop() { stopped.signal() }

    private func write() {
        let now = Milliseconds(Date().timeIntervalSince1970 * 1000)
        // A full disk must not stop the hub: the outage is then taken to be longer than it was.
        try? String(now).write(to: url, atomically: true, encoding: .utf8)
    }
}
