import Cryptography

/// A room's log, and how far it has been shown. After a failover of the database the room continues with a shorter log,
/// and this one records what was shown of the lost part.
final class RoomLog {
    struct Commit {
        /// The versions of its events.
        let versions: ClosedRange<Int>
        /// How many commits came before.
        let number: Int
    }

    let code: String
    private unowned let context: ModelContext
    /// The bytes of each event, that of version 1 first.
    private(set) var records: [[UInt8]] = []
    private var heads: [Digest] = []
    /// The sealed parts, by version.
    private var seals: [Int: [UInt8]] = [:]
    /// By id.
    private(set) var commits: [ByteText: Commit] = [:]
    /// At the newest durable version.
    private(set) var durable: RoomFold
    /// At the version of the newest greeting.
    private var greeted: RoomFold
    /// What comes after that.
    private var pending: [(step: RoomFold.Step, time: Int)] = []
    /// The newest version that any client was shown.
    private(set) var shownVersion = 0
    /// The version up to which it still is the room's log; nil if all of it is.
    private(set) var keptVersion: Int?
    /// Commitments to seeds of lost events that the room may still continue from.
    private(set) var lostCommitments: Set<String> = []

    /// Beyond this, the steps since the last greeting are folded without one.
    private static let pendingLimit = 256

    init(code: String, context: ModelContext) {
        (self.code, self.context) = (code, context)
        (durable, greeted) = (RoomFold(code: code), RoomFold(code: code))
    }

    private var findings: Findings { context.findings }
    var version: Int { records.count }

    /// The head after an event; nil if there is no such event.
    func head(at version: Int) -> Digest? {
        if version == 0 { return SHA256.digest(of: "room/" + code) }
        return heads.indices.contains(version - 1) ? heads[version - 1] : nil
    }

    // MARK: Growing

    /// Appends the events of one commit with this id.
    func append(_ events: [LoggedEvent], of commit: String) {
        for event in events { chain(event) }
        commits[ByteText(commit)] = Commit(
            versions: (version - events.count + 1)...version, number: commits.count)
    }

    private func chain(_ event: LoggedEvent) {
        let hasher = context.hasher
        let before = heads.last ?? SHA256.digest(of: "room/" + code)
        hasher.update(event.shown)
        let shown = hasher.finish()
        var sealed: Digest?
        if let seed = event.sealed {
            seals[event.version] = seed
            hasher.update(seed)
            sealed = hasher.finish()
        }
        hasher.update(before)
        hasher.update(shown)
        if let sealed { hasher.update(sealed) }
        let head = hasher.finish()
        findings.expect(
            head == Digest(bytes: event.head), "the head follows from the last one and the record",
            "room \(code), version \(event.version)")
        records.append(event.shown)
        heads.append(head)
    }

    func take(_ step: RoomFold.Step, version: Int, time: Int) {
        pending.append((step, time))
        fold(&durable, step, version: version, time: time)
    }

    /// All appended events have been applied.
    func tookAll() { if pending.count > Self.pendingLimit { _ = greet(at: shownVersion) } }

    private func fold(_ fold: inout RoomFold, _ step: RoomFold.Step, version: Int, time: Int) {
        do throws(BrokenPromise) { try fold.apply(step, version: version, time: time) } catch {
            findings.note(error.rule, "room \(code), version \(version): \(error.detail)")
        }
    }

    // MARK: What is shown

    /// A client is sent the event whose message begins at `start` of `bytes`.
    @inline(__always)
    func show(_ version: Int, _ bytes: [UInt8], from start: Int) {
        guard version <= records.count, version > 0 else {
            return findings.note(
                "an event is durable before it is shown",
                "room \(code), version \(version) of \(records.count)"
            )
        }
        if version > shownVersion { shownVersion = version }
        if !records[version - 1].isEnd(of: bytes, from: start) {
            findings.note(
                "an event is shown as it was recorded",
                "room \(code), version \(version): \(String(decoding: bytes[start...], as: UTF8.self)) instead of "
                    + String(decoding: records[version - 1], as: UTF8.self))
        }
    }

    func has(_ version: Int, _ bytes: [UInt8], from start: Int) -> Bool {
        records.indices.contains(version - 1) && records[version - 1].isEnd(of: bytes, from: start)
    }

    /// The fold at the version of a greeting; nil if there is no such version.
    func greet(at version: Int) -> RoomFold? {
        guard version <= records.count, version > 0 else { return nil }
        if version > shownVersion { shownVersion = version }
        if version < greeted.version { return fold(at: version) }
        let count = version - greeted.version
        for (step, time) in pending.prefix(count) { fold(&greeted, step, version: greeted.version + 1, time: time) }
        pending.removeFirst(count)
        return greeted
    }

    /// The folds from one version to the newest: slow.
    func folds(from first: Int) -> [RoomFold] {
        var (result, folds) = (RoomFold(code: code), [RoomFold]())
        for version in 1...max(1, records.count) where version <= records.count {
            guard let event = JSONParser.read(records[version - 1]) else { break }
            fold(&result, .other(event, sealed: seals[version]), version: version, time: event["t"]?.number ?? 0)
            if version >= first { folds.append(result) }
        }
        return folds
    }

    /// Folds from the beginning: slow.
    func fold(at version: Int) -> RoomFold {
        var result = RoomFold(code: code)
        for (index, record) in records.prefix(version).enumerated() {
            guard let event = JSONParser.read(record) else { break }
            fold(&result, .other(event, sealed: seals[index + 1]), version: index + 1, time: event["t"]?.number ?? 0)
        }
        return result
    }

    // MARK: Going back

    /// Only this much of it is left.
    func isKept(upTo version: Int) { keptVersion = min(keptVersion ?? version, version) }

    /// A log that is equal up to `version` and then differs.
    func branch(at version: Int) -> RoomLog {
        let branch = RoomLog(code: code, context: context)
        (branch.records, branch.heads) = (Array(records.prefix(version)), Array(heads.prefix(version)))
        branch.seals = seals.filter { $0.key <= version }
        branch.commits = commits.filter { $0.value.versions.upperBound <= version }
        branch.durable = fold(at: version)
        branch.greeted = branch.durable
        branch.shownVersion = min(shownVersion, version)
        let lost = records.dropFirst(version).compactMap { JSONParser.read($0)?["commitment"]?.text }
        branch.lostCommitments = lostCommitments.union(lost)
        return branch
    }
}
