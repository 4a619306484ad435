import Foundation
import Games

/// A small file that says when all rooms could last be played: what lies between that and the next start was an outage.
final class AliveNote: Sendable {
    /// How often it is written. An outage may be taken to be longer by so much and a turn, never shorter.
    static let pause = 1.0

    private let url: URL
    private let stopped = DispatchSemaphore(value: 0)

    init(folder: String) { url = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("alive") }

    /// When the rooms of the hub that ran before could last be played, in ms since 1970; nil if none has run.
    var last: Milliseconds? {
        // A note that cannot be read is one that was never written: the outage is then not known.
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Writes down now and then when all rooms could last be played, on a thread of its own, until `stop`. While that
    /// does not move on, neither does the note; 0: not yet.
    func start(lastPlayed: @escaping @Sendable () -> Milliseconds) {
        Thread.detachNewThread { [self] in
            var noted = 0
            func note() {
                let played = lastPlayed()
                if played > noted { write(played) }
                noted = played
            }
            repeat { note() } while stopped.wait(timeout: .now() + Self.pause) == .timedOut
            note()
        }
    }

    func stop() { stopped.signal() }

    func write(_ time: Milliseconds) {
        // A full disk must not stop the hub: the outage is then taken to be longer than it was.
        PrivateFile.replace(url.path, with: String(time))
    }
}
