import EventStore
import ReferenceModel
import Synchronization

#if canImport(Foundation)
    import Foundation
#endif

/// Tells the independent model all that a scripted hub logs, hears and says, and reports what it finds.
final class ScriptedWitness {
    /// Off where a test alters the log, has games of its own, or stands between the hub and its log.
    var isOn = true
    private let model = HubModel()
    private let storage: InMemoryStorage
    let availability = WatchedAvailability()
    /// The hub's clock.
    var clock: (() -> Int)?
    private var readCount = 0
    private var lastConnection = 0
    private var lastRequest = 0
    private var hasReported = false
    private let trace = ProcessInfo.processInfo.environment["MODEL_TRACE"] != nil

    init(storage: InMemoryStorage) { self.storage = storage }

    private func note(_ line: @autoclosure () -> String) {
        if trace { FileHandle.standardError.write(Data((line() + "\n").utf8)) }
    }

    /// What the log has got since.
    private func readLog() {
        let records = storage.records
        guard records.count > readCount else { return }
        var commit: [LoggedEvent] = []
        for record in records[readCount...] {
            if let last = commit.last, last.stream != record.stream.text || last.commit != record.commit.text {
                tellCommit(commit)
                commit = []
            }
            commit.append(
                LoggedEvent(
                    stream: record.stream.text, version: record.version, commit: record.commit.text,
                    shown: record.event.shown, sealed: record.event.sealed, head: record.hash.bytes))
        }
        tellCommit(commit)
        readCount = records.count
    }

    private func tellCommit(_ commit: [LoggedEvent]) {
        for event in commit {
            note(
                "LOG \(event.stream) \(event.version) [\(event.commit)] \(String(decoding: event.shown, as: UTF8.self)) sealed=\(event.sealed.map { "\($0.count)" } ?? "-")"
            )
        }
        model.recorded(commit)
    }

    private func tell(_ body: () -> Void) {
        guard isOn else { return }
        if let clock { model.passed(to: clock()) }
        readLog()
        body()
        guard let broken = model.broken, !hasReported else { return }
        hasReported = true
        report("the hub has not kept: \(broken)")
    }

    func began(now: Int) {
        tell {
            note("BEGAN \(now)"); model.started(loops: 1, lastPlayed: nil, now: now)
        }
    }
    func died() {
        tell {
            note("DIED"); model.died()
        }
    }
    func opened(room: String?) -> Int {
        lastConnection += 1
        tell {
            note("OPEN \(lastConnection) \(room ?? "lobby")"); model.opened(lastConnection, room: room)
        }
        return lastConnection
    }
    func said(_ connection: Int, _ message: [UInt8]) {
        tell {
            note("SAID \(connection) \(String(decoding: message.prefix(300), as: UTF8.self))");
            model.asked(connection, message)
        }
    }
    func told(_ connection: Int, _ frame: [UInt8], from start: Int) {
        tell {
            note("TOLD \(connection) \(String(decoding: frame[start...], as: UTF8.self))")
            model.told(connection, frame, from: start)
        }
    }
    func closed(_ connection: Int, code: Int?) {
        tell {
            note("CLOSED \(connection) \(code ?? 0)"); model.closed(connection, code: code)
        }
    }
    func requested(_ method: String, _ target: String, token: String?, body: [UInt8]) -> Int {
        lastRequest += 1
        tell {
            note("REQ \(lastRequest) \(method) \(target) \(String(decoding: body, as: UTF8.self))")
            model.requested(lastRequest, method: method, target: target, token: token, body: body)
        }
        return lastRequest
    }
    func responded(_ request: Int, status: Int, body: [UInt8]) {
        tell {
            note("RESP \(request) \(status) \(String(decoding: body, as: UTF8.self))")
            model.responded(request, status: status, body: body)
        }
    }
    func reads(_ connection: Int, _ isReading: Bool) {
        tell {
            note("READS \(connection) \(isReading)"); model.reads(connection, isReading)
        }
    }
    func rested(at now: Int) {
        tell {
            note("REST \(now)"); model.cameToRest(at: now)
        }
    }
}

/// Whether the log takes writes just now.
final class WatchedAvailability: LogInbox {
    private let state = Mutex(true)
    var isWritable: Bool { state.withLock { $0 } }

    func deliver(_ messages: [LogMessage]) {
        for case .availability(let availability) in messages {
            state.withLock { $0 = availability == .available }
        }
    }
}
