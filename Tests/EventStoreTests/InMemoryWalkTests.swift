import Cryptography
import Records
import Testing

@testable import EventStore

@Suite("Several logs in memory: random walks") struct InMemoryWalkTests {
    @Test(
        "no gaps, no repeats, one winner, one answer each and nothing after a fence, whatever happens",
        arguments: UInt64(1)...60)
    func walks(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<400 { walk.step() }
        walk.finish()
    }
}

/// Three logs on one storage, whose users act only on what they were told.
private struct Walk {
    static let streams = [StreamName.red, .blue, .ada]
    let seed: UInt64
    let storage = InMemoryStorage()
    /// The state after the next failover.
    var replica = InMemoryStorage()
    var logs: [InMemoryLog]
    var listeners: [Listener]
    private var number: UInt64

    init(seed: UInt64) {
        let storage = storage
        (self.seed, number) = (seed, seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        listeners = (0..<3).map { Listener(name: "\($0)") }
        logs = listeners.map { InMemoryLog(storage: storage, run: $0.name, pace: .stepped) }
        for (log, listener) in zip(logs, listeners) { listener.follow(on: log) }
    }

    /// Below `count`.
    private mutating func draw(_ count: Int) -> Int {
        number ^= number << 13
        number ^= number >> 7
        number ^= number << 17
        return Int((number >> 11) % UInt64(count))
    }

    mutating func step() {
        let index = draw(logs.count)
        let (log, listener) = (logs[index], listeners[index])
        switch draw(20) {
        case 0..<6:
            let fenced = draw(10) == 0 ? listeners[draw(3)].name : nil
            listener.append(to: Self.streams[draw(3)], on: log, erasing: draw(4) == 0, fencing: fenced)
        case 6..<10: log.step()
        case 10..<13: log.beginTransaction()
        case 13..<15: log.commit()
        case 15: log.rollBack()
        case 16..<18: log.poll()
        case 18:
            log.isConnected ? log.disconnect(leaving: [.committed, .rolledBack, .leftOpen][draw(3)]) : log.reconnect()
        default:
            if draw(4) == 0 { replica = InMemoryStorage(copying: storage) }
            if draw(4) == 0 { failOver() }
            if draw(2) == 0 { storage.endAbandonedTransactions(committing: draw(2) == 0) }
            if draw(4) == 0 || storage.isFenced(listener.name) {
                startAgain(index, leaving: [.committed, .rolledBack, .leftOpen][draw(3)])
            }
        }
    }

    /// Everyone forgets what they know, as they must, and starts again.
    private func failOver() {
        storage.failOver(to: replica)
        for (log, listener) in zip(logs, listeners) {
            listener.isDeaf = true
            log.reconnect()
            log.run()
            listener.forget()
            listener.follow(on: log)
        }
    }

    /// The log crashes, and another replaces it, with a new listener.
    private mutating func startAgain(_ index: Int, leaving fate: InMemoryLog.TransactionFate) {
        logs[index].crash(leaving: fate)
        listeners[index].check(seed)
        listeners[index] = Listener(name: listeners[index].name + "'")
        logs[index] = InMemoryLog(storage: storage, run: listeners[index].name, pace: .stepped)
        listeners[index].follow(on: logs[index])
    }

    /// All transactions end, and everyone looks.
    func finish() {
        for log in logs { log.commit() }
        storage.endAbandonedTransactions(committing: true)
        // An append that was held back may be held back again after another.
        for _ in 0..<3 {
            for log in logs {
                log.reconnect()
                log.poll()
                log.run()
            }
        }
        for log in logs { log.poll() }
        let all = storage.records
        checkFences()
        #expect(all.map(\.position) == all.map(\.position).sorted(), "seed \(seed)")
        for listener in listeners {
            listener.check(seed)
            #expect(listener.unanswered.isEmpty, "seed \(seed)")
            for stream in Self.streams {
                #expect(listener.told[stream] ?? [] == storage.records(of: stream), "seed \(seed)")
            }
            #expect(listener.toldOfAll.filter { all.contains($0) } == all, "seed \(seed)")
            for (stream, versions) in listener.versions {
                for (commit, version) in versions where stream != .ada {
                    let record = storage.records(of: stream)[version - 1]
                    #expect(record.commit == commit, "seed \(seed): \(commit) won version \(version)")
                }
            }
        }
    }

    /// Looks at what is left, in the order of commits.
    private func checkFences() {
        var fenced: Set<String> = []
        for change in storage.changes(after: 0) {
            guard case .records(let records) = change, let commit = records.first?.commit.text else { continue }
            let (name, run) = (commit.prefix { $0 != "-" }, commit.split(separator: ">").dropFirst().first)
            #expect(!fenced.contains(String(name)), "seed \(seed): \(commit)")
            if let run { fenced.insert(String(run)) }
        }
        for listener in listeners where !storage.isFenced(listener.name) {
            #expect(!fenced.contains(listener.name), "seed \(seed): \(listener.name) is not fenced")
        }
    }
}

/// Follows all streams on one log, appends to them, and notes what does not fit.
private final class Listener: LogInbox, @unchecked Sendable {
    // Checked by hand: a walk runs on one thread.
    let name: String
    private(set) var told: [StreamName: [Record]] = [:]
    private(set) var toldOfAll: [Record] = []
    private var position = 0
    /// Appended, but not answered yet.
    private(set) var unanswered: [Ticket: Commit] = [:]
    /// The version that each commit got by its answer.
    private(set) var versions: [StreamName: [CommitID: Int]] = [:]
    private var lastTicket: Ticket = 100
    private var wrong: [String] = []
    /// Whether it only gets answers.
    var isDeaf = false

    init(name: String) { self.name = name }

    func check(_ seed: UInt64) { #expect(wrong == [], "seed \(seed)") }

    /// What it knows was of a log that has gone back.
    func forget() {
        (told, toldOfAll, versions, position, isDeaf) = ([:], [], [:], 0, false)
    }

    func follow(on log: InMemoryLog) {
        log.followAll(after: 0, ticket: 0, into: self)
        for (index, stream) in Walk.streams.enumerated() {
            log.follow(stream, after: 0, ticket: Ticket(index + 1), into: self)
        }
        log.run()
    }

    func append(to stream: StreamName, on log: InMemoryLog, erasing: Bool, fencing run: String?) {
        lastTicket += 1
        let end = told[stream]?.last?.end ?? stream.start
        let part: Commit.Part =
            erasing && stream == .ada && end.version > 0
            ? .erase(stream, expecting: end)
            : .append((0...lastTicket % 2).map { .test(Int($0)) }, to: stream, expecting: end)
        unanswered[lastTicket] = Commit(
            id: "\(name)-\(lastTicket)\(run.map { ">" + $0 } ?? "")", parts: [part],
            fencing: run.map { Fencing(run: $0, time: 1) })
        log.append(unanswered[lastTicket]!, ticket: lastTicket, answer: self)  // Set in the line before.
    }

    func deliver(_ messages: [LogMessage]) { for message in messages { receive(message) } }

    private func receive(_ message: LogMessage) {
        switch message {
        case .settled(let ticket, _) where isDeaf: unanswered[ticket] = nil
        case _ where isDeaf: break
        case .records(0, let records):
            for record in records { move(to: record.position) }
            toldOfAll += records
        case .records(let ticket, let records):
            let stream = Walk.streams[Int(ticket) - 1]
            var chain = Chain(of: stream, version: end(of: stream).version, head: end(of: stream).head)
            for record in records where (try? chain.accept(record)) == nil {
                wrong.append("\(record.version) of \(stream)")
            }
            told[stream, default: []] += records
        case .erased(0, let erasure): move(to: erasure.position)
        case .erased(let ticket, _): told[Walk.streams[Int(ticket) - 1]] = []
        case .settled(let ticket, let answer): settled(ticket, answer)
        case .followFailed, .loaded, .claimed, .released, .claimLost, .claimedAgain: wrong.append("\(message)")
        case .caughtUp, .availability: break
        }
    }

    private func end(of stream: StreamName) -> StreamEnd { told[stream]?.last?.end ?? stream.start }

    private func move(to position: Int) {
        if position <= self.position { wrong.append("position \(position) behind \(self.position)") }
        self.position = position
    }

    private func settled(_ ticket: Ticket, _ answer: AppendAnswer) {
        guard let commit = unanswered.removeValue(forKey: ticket) else { return wrong.append("answer to \(ticket)") }
        let part = commit.parts[0]
        switch answer {
        case .appended(let version): if version > 0 { versions[part.stream, default: [:]][commit.id] = version }
        case .conflict(let stream, let actual):
            if actual == part.expected { wrong.append("conflict with what was expected") }
            if end(of: stream) != actual { wrong.append("conflict before its records: \(actual.version)") }
        case .repeated, .claimed, .renewed: wrong.append("\(answer)")
        case .unavailable, .outcomeUnknown: break
        }
    }
}
