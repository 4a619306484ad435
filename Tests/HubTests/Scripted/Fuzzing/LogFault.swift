import Cryptography
import EventStore
import Games
import JSON
import Records

@testable import Hub
@testable import RoomRules

/// The broken rule for a room that wakes with any log; nil if all hold. The log is refused with a `FoldError`, or it
/// folds, and then the room is shown as folded and continues, for any player and time.
///
/// One record on each line: `@TIME TYPE {FIELDS}` and after a tab the sealed part in hex. `TIME` advances by itself if
/// it is left out. A line that begins with a brace is taken literally.
func logFault(_ input: [UInt8]) -> String? {
    guard let games else { return "no games" }
    let events = ScriptedLog(input).events
    var (state, check) = (RoomState(code: logCode, games: games), RoomCheck(code: logCode, games: games))
    var (isWhole, isSound) = (true, true)
    for record in ScriptedLog.records(events, of: .room(logCode)) {
        _ = (sentence(of: record), ReadModels.all.flatMap { $0.changes(by: record) })
        if isSound { do throws(RoomCheck.Fault) { try check.checkRecord(record) } catch { isSound = false } }
        guard isWhole else { continue }
        do throws(RoomState.FoldError) { try state.apply(record) } catch {
            isWhole = false
            if error.sentence.isEmpty { return "refused without a word" }
        }
        if isWhole { look(state) }
    }
    // If the log does not fold, it is enough that there is a room.
    guard state.version > 0 else { return nil }
    return wakingFault(events, state: isWhole ? state : nil)
}

/// Created once for all inputs.
private let games = try? GameCatalog(GameList.all)

/// The code of the log's room.
let logCode = "fuzzed"

private func look(_ state: RoomState) {
    _ = (state.roomView, state.gameView, RoomRow(state, lead: 0), state.deadline, state.players, state.played)
}

/// `state`: the fold; nil if it does not fold.
private func wakingFault(_ events: [Event], state: RoomState?) -> String? {
    let fuzzed = FuzzedHub(FuzzedHub.logs[0])
    let hub = fuzzed.hub
    defer { hub.stop() }
    hub.log.append(
        Commit(id: "fuzzed", appending: events, to: .room(logCode), expecting: StreamName.room(logCode).start),
        ticket: 0, answer: AppendAnswers())
    let pages = fuzzed.players[..<2].map { hub.join(logCode, $0) }
    guard let state else { return pages[0].closed == nil ? "a room with a broken log is open" : nil }
    guard let welcome = pages[0].last("welcome") else { return "nobody is welcome" }
    if hub.storage.end(of: .room(logCode)).version == state.version {
        let room = welcome["room"]?.object.map { $0 == read(state.roomView) }
        if room != true, pages[0].events.isEmpty { return "shown otherwise than it folds: \(welcome)" }
    }
    let commands: [(String, Fields)] = [
        ("sit", [:]), ("flip", ["cell": 0]), ("flip", ["cell": 1]), ("place", ["cell": 19]), ("drop", ["column": 3]),
        ("propose", ["what": "restart"]), ("start", [:]), ("leave", [:]), ("close", [:]),
    ]
    for (type, fields) in commands {
        for page in pages where page.closed == nil {
            guard page.command(type, fields) != nil else { return "`\(type)` is not answered" }
        }
        hub.skip(7_000)
    }
    hub.skip(100 * 86_400_000)
    return nil
}

/// As a client reads them.
func read(_ fields: Fields) -> Fields? { (try? JSONReader.read(JSONWriter.bytes(fields)))?.object }

/// The broken rule for the other records that a hub reads, with any content; nil if all hold. One record on each line,
/// as for `logFault`, in one stream.
func recordFault(_ input: [UInt8]) -> String? {
    let events = ScriptedLog(input).events
    guard !events.isEmpty else { return nil }
    let records = ScriptedLog.records(events, of: .account("0123456789abcdef"))
    _ = try? Account(records)
    var (outages, isOfHub) = (Outages(), false)
    for record in records {
        _ = (NameGiven.read(record), TokenGiven.read(record), AccountEvent(record))
        _ = ReadModels.all.flatMap { $0.changes(by: record) }
        if let outage = Outage(record) { outages.add(outage) }
        isOfHub = isOfHub || Outage(record) != nil || record.event.type == ClockSetting.type
    }
    if let (span, until) = outages.missed(by: "a", since: 1_000), span <= 0 || until <= 1_000 {
        return "an outage of \(span) ms until \(until)"
    }
    guard isOfHub else { return nil }
    let fuzzed = FuzzedHub(FuzzedHub.logs[6])
    let hub = fuzzed.hub
    defer { hub.stop() }
    hub.log.append(
        Commit(id: "fuzzed", appending: events, to: .hub, expecting: hub.storage.end(of: .hub)), ticket: 0,
        answer: AppendAnswers())
    // A start may refuse the log. If it does not, the hub continues.
    guard (try? hub.boot()) != nil else { return nil }
    hub.crash(downtime: 1_000)
    let page = hub.join(fuzzed.code, fuzzed.players[0])
    page.command("flip", ["cell": 0])
    hub.pass(7_000)
    return page.last("welcome") == nil ? "the room does not wake" : nil
}

/// A log that is written as text.
struct ScriptedLog {
    private(set) var events: [Event] = []
    private var time = 1_700_000_000_000

    init(_ input: [UInt8]) {
        for line in input.split(separator: UInt8(ascii: "\n")).prefix(80) { add(Array(line)) }
    }

    static func records(_ events: [Event], of stream: StreamName) -> [Record] {
        var end = stream.start
        return events.enumerated().map { index, event in
            end.advance(by: event)
            return Record(
                stream: stream, version: end.version, position: index + 1, commit: "fuzzed", event: event,
                hash: end.head)
        }
    }

    private mutating func add(_ line: [UInt8]) {
        let parts = line.split(separator: 0x09, maxSplits: 1, omittingEmptySubsequences: false)
        let sealed = parts.count == 2 ? [UInt8](hex: String(decoding: parts[1], as: UTF8.self)) : nil
        guard let first = parts.first, first.first != UInt8(ascii: "{") else {
            return addRaw(Array(parts.first ?? []), sealed: sealed)
        }
        var words = String(decoding: first, as: UTF8.self).split(separator: " ", maxSplits: 2)
        if let word = words.first, word.hasPrefix("@") {
            time = Int(word.dropFirst()) ?? time
            words.removeFirst()
        } else {
            time = min(time, .max - 1_000) + 1_000
            if words.count == 3 { words = [words[0], Substring(words[1...].joined(separator: " "))] }
        }
        guard let type = words.first else { return }
        let fields = words.count == 2 ? (try? JSONReader.read(Array(words[1].utf8)))?.object ?? [:] : [:]
        let start: Fields = ["v": .integer(events.count + 1), "t": .integer(time), "type": .string(String(type))]
        let shown = JSONWriter.bytes(start.merging(fields))
        events.append(Event(time: time, type: String(type), shown: shown, sealed: sealed))
    }

    private mutating func addRaw(_ shown: [UInt8], sealed: [UInt8]?) {
        let fields = (try? JSONReader.read(shown))?.object
        events.append(
            Event(
                time: fields?["t"]?.integer ?? time, type: fields?["type"]?.string ?? "raw", shown: shown,
                sealed: sealed))
    }

    /// A log as `init` reads it.
    static func text(_ records: [Record]) -> String {
        records.map { record in
            let fields = EventCoding.shownFields(record) ?? [:]
            let line =
                "@\(record.event.time) \(record.event.type) "
                + String(decoding: JSONWriter.bytes(fields), as: UTF8.self)
            return line + (record.event.sealed.map { "\t" + $0.hex } ?? "")
        }.joined(separator: "\n")
    }
}
