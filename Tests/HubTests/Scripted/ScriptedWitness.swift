import EventStore
import Hub
import ReferenceModel
import Synchronization

@testable import Rooms

/// Tells the independent model all that a scripted hub logs, receives and sends, and reports what it finds.
final class ScriptedWitness {
    /// Off if a test alters the log, has its own games, or makes the hub say what no hub says.
    var isOn = true
    /// The hub's clock.
    var clock: (() -> Int)?
    let availability = WatchedAvailability()
    private let model: HubModel
    private let storage: InMemoryStorage
    private var lastPosition = 0
    private var lastConnection = 0
    private var lastRequest = 0
    private var hasReported = false

    init(storage: InMemoryStorage, limits: HubLimits) {
        self.storage = storage
        model = HubModel(
            rates: MessageRates(
                messages: limits.messagesPerSecond, hellos: limits.hellosPerSecond, lines: limits.linesPerSecond,
                commands: limits.commandsPerSecond, refusals: limits.refusalsPerSecond, early: limits.earlyMessages))
    }

    func began(now: Int) { tell { model.hubStarted(loops: 1, lastPlayed: nil, now: now) } }
    func died() { tell { model.hubDied() } }
    func rested(at now: Int) { tell { model.cameToRest(at: now) } }

    /// Returns the number of the connection.
    func opened(room: String?) -> Int {
        lastConnection += 1
        tell { model.connectionOpened(lastConnection, room: room) }
        return lastConnection
    }

    func said(_ connection: Int, _ message: [UInt8]) { tell { model.messageArrived(connection, message) } }
    func told(_ connection: Int, _ frame: [UInt8], from start: Int) {
        tell { model.messageSent(connection, frame, from: start) }
    }
    func reads(_ connection: Int, _ isReading: Bool) { tell { model.reads(connection, isReading) } }
    func closed(_ connection: Int, code: Int?) { tell { model.connectionClosed(connection, code: code) } }

    /// Returns the number of the request.
    func requested(_ method: String, _ target: String, token: String?, body: [UInt8]) -> Int {
        lastRequest += 1
        tell {
            model.requestArrived(lastRequest, method: method, target: target, token: token, body: body)
        }
        return lastRequest
    }

    func responded(_ request: Int, status: Int, body: [UInt8]) {
        tell { model.responseSent(request, status: status, body: body) }
    }

    /// First tells what the log has got since, which no client has seen before.
    private func tell(_ body: () -> Void) {
        guard isOn else { return }
        if let clock { model.timePassed(to: clock()) }
        if !availability.isWritable { model.hubHindered() }
        readLog()
        body()
        guard let broken = model.broken, !hasReported else { return }
        hasReported = true
        report("the hub has not kept: \(broken)")
    }

    private func readLog() {
        let position = storage.lastPosition
        guard position > lastPosition else { return }
        var commit: [LoggedEvent] = []
        for record in storage.records(after: lastPosition) {
            if let last = commit.last, last.stream != record.stream.text || last.commit != record.commit.text {
                model.eventsRecorded(commit)
                commit = []
            }
            commit.append(
                LoggedEvent(
                    stream: record.stream.text, version: record.version, commit: record.commit.text,
                    shown: record.event.shown, sealed: record.event.sealed, head: record.hash.bytes))
        }
        model.eventsRecorded(commit)
        lastPosition = position
    }
}

/// Whether the log takes writes now.
final class WatchedAvailability: LogInbox {
    private let state = Mutex(true)
    var isWritable: Bool { state.withLock { $0 } }

    func deliver(_ messages: [LogMessage]) {
        for case .availability(let availability) in messages {
            state.withLock { $0 = availability == .available }
        }
    }
}
