import EventStore
import Records
import RoomRules

/// Reads rooms that are not judged here, without waking them: folds a room's newest snapshot, and the log after it. The
/// folds are kept, since the updater of read models asks again for each room that has changed, and then only new
/// records are read. One for each shard; every call comes from its loop.
public final class RoomReader {
    /// Rooms that are read at a time. A reading for a player or device has at most this many ahead of it in the log.
    static let readingLimit = 64
    /// Rooms that are read or wait for it: sixteen rounds of rooms whose rows are written. More are refused as `busy`.
    static let waitingLimit = 4_096
    /// Records that are read at a time. Folding them takes 1.5 ms, while players on the same loop wait.
    static let pieceLimit = 256

    public enum Answer: Sendable {
        /// The room as the log had it at some moment after the question.
        case room(RoomState)
        /// There is no such room.
        case absent
        /// Its log does not fit together, or cannot be read although the log is up.
        case broken
        /// The log is down.
        case unread
        /// Too much is being read, here or by the log. Nothing is wrong with the room.
        case busy
    }

    /// Where a fold began. One that does not match the log is made again from further back.
    private enum Origin { case kept, snapshot, start }

    private final class Reading {
        let code: String
        var state: RoomState
        var origin = Origin.start
        /// Those who get what is being loaded.
        var askers: [(Answer) -> Void] = []
        /// Those who have asked since, and may know of later records.
        var lateAskers: [(Answer) -> Void]
        /// Times in a row that the log could not be read.
        var failures = 0

        init(_ state: RoomState, for asker: @escaping (Answer) -> Void) {
            (code, self.state, lateAskers) = (state.code, state, [asker])
        }
    }

    private let surroundings: RoomSurroundings
    private var kept: KeptRooms
    private var readings: [String: Reading] = [:]
    /// Those that have not begun, in the order in which they were asked for.
    private var waiting: [Reading] = []
    private var countUnderWay = 0
    /// Those whose log could not be read just now.
    private var postponed: [Reading] = []

    public init(_ surroundings: RoomSurroundings, keptLimit: Int = KeptRooms.limit) {
        self.surroundings = surroundings
        kept = KeptRooms(limit: keptLimit)
    }

    /// Calls `then` with the room. Those who ask at the same time share a reading.
    public func read(_ code: String, then: @escaping (Answer) -> Void) {
        if let reading = readings[code] { return reading.lateAskers.append(then) }
        guard readings.count < Self.waitingLimit else {
            surroundings.counters.hit(.roomReadings)
            return then(.busy)
        }
        let reading = Reading(RoomState(code: code, games: surroundings.games), for: then)
        readings[code] = reading
        waiting.append(reading)
        startNext()
    }

    /// Tries again what could not be read.
    public func retryPostponed() {
        waiting = postponed + waiting
        postponed = []
        startNext()
    }

    private func startNext() {
        while countUnderWay < Self.readingLimit, !waiting.isEmpty {
            countUnderWay += 1
            start(waiting.removeFirst())
        }
    }

    private func start(_ reading: Reading) {
        guard let state = kept.remove(reading.code) else { return startWithSnapshot(reading) }
        (reading.state, reading.origin) = (state, .kept)
        load(reading)
    }

    private func startWithSnapshot(_ reading: Reading) {
        surroundings.findSnapshot(ofRoom: reading.code) { [self] snapshot in
            guard let snapshot else { return startAtFirstRecord(reading) }
            (reading.state, reading.origin) = (snapshot.state, .snapshot)
            load(reading)
        }
    }

    private func startAtFirstRecord(_ reading: Reading) {
        (reading.state, reading.origin) = (RoomState(code: reading.code, games: surroundings.games), .start)
        load(reading)
    }

    /// The newest record that is folded is read again: it must still be there.
    private func load(_ reading: Reading) {
        reading.askers += reading.lateAskers
        reading.lateAskers = []
        let after = max(0, reading.state.version - 1)
        surroundings.log.load(.room(reading.code), after: after, limit: Self.pieceLimit) { [self] result in
            switch result {
            case .success(let records): fold(records, into: reading)
            case .failure(.chainBroken(let stream, let version)):
                let error = EventLogError.chainBroken(stream: stream, version: version)
                startEarlier(reading, because: error.sentence)
            case .failure(let error): couldNotLoad(reading, error)
            }
        }
    }

    private func fold(_ records: [Record], into reading: Reading) {
        let known = reading.state.end
        guard known.version == 0 || records.first?.end == known else {
            return reading.origin == .start ? postpone(reading, "its log has gone back") : startEarlier(reading)
        }
        let new = records.dropFirst(known.version == 0 ? 0 : 1)
        for record in new {
            do throws(RoomState.FoldError) { try reading.state.apply(record) } catch {
                return startEarlier(reading, because: error.reason(at: record))
            }
        }
        surroundings.counters.eventsRead.add(new.count)
        guard records.count < Self.pieceLimit else { return load(reading) }
        complete(reading)
    }

    private func complete(_ reading: Reading) {
        guard reading.state.isWhole else { return startEarlier(reading, because: "its game is not there") }
        let askers = reading.askers
        reading.askers = []
        for asker in askers { asker(reading.state.version > 0 ? .room(reading.state) : .absent) }
        guard reading.lateAskers.isEmpty else { return load(reading) }
        if reading.state.version > 0 { kept.put(reading.state) }
        close(reading)
    }

    /// What was folded does not fit the log.
    private func startEarlier(_ reading: Reading, because reason: String? = nil) {
        switch reading.origin {
        case .kept: startWithSnapshot(reading)
        case .snapshot:
            surroundings.logSnapshotMismatch(reading.code, at: reading.state.version, reason)
            startAtFirstRecord(reading)
        case .start: fail(reading, with: .broken, because: reason)
        }
    }

    private func couldNotLoad(_ reading: Reading, _ error: EventLogError) {
        if case .busy = error { return fail(reading, with: .busy) }
        guard !surroundings.isLogDown else { return fail(reading, with: .unread) }
        postpone(reading, error.sentence)
    }

    /// Tries the reading again later, as often as an awake room does.
    private func postpone(_ reading: Reading, _ reason: String) {
        reading.failures += 1
        guard reading.failures < RoomStream.readingLimit else {
            return fail(reading, with: .broken, because: reason)
        }
        keepUnchanged(reading)
        postponed.append(reading)
        surroundings.timers.arm(.roomReader, at: surroundings.now + RoomStream.retryPause)
        countUnderWay -= 1
        startNext()
    }

    private func fail(_ reading: Reading, with answer: Answer, because reason: String? = nil) {
        if case .broken = answer { surroundings.logBrokenRoom(reading.code, reason ?? "") }
        keepUnchanged(reading)
        close(reading)
        for asker in reading.askers + reading.lateAskers { asker(answer) }
    }

    /// Puts back what was kept before, which is still valid.
    private func keepUnchanged(_ reading: Reading) { if reading.origin == .kept { kept.put(reading.state) } }

    private func close(_ reading: Reading) {
        readings[reading.code] = nil
        countUnderWay -= 1
        startNext()
    }
}
