import Cryptography
import JSON

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
    /// At that version and those before it, which a greeting may still be at.
    private var newest: [RoomFold] = []
    /// The newest version that any client was shown.
    private(set) var shownVersion = 0
    /// The version up to which it still is the room's log; nil if all of it is.
    private(set) var keptVersion: Int?
    /// Commitments to seeds of lost events that the room may still continue from.
    private(set) var lostCommitments: Set<String> = []

    /// At least this many folds are kept. Older ones are folded again.
    private static let newestLimit = 64

    init(code: String, context: ModelContext) {
        (self.code, self.context, durable) = (code, context, RoomFold(code: code))
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
        commits[ByteText(commit)] = Commit(versions: (version - events.count + 1)...version, number: commits.count)
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

    func foldEvent(_ event: RoomEvent) {
        fold(&durable, event)
        newest.append(durable)
        if newest.count > 2 * Self.newestLimit { newest.removeFirst(Self.newestLimit) }
    }

    private func fold(_ fold: inout RoomFold, _ event: RoomEvent) {
        do throws(BrokenPromise) { try fold.apply(event) } catch {
            findings.recordBreach(error.rule, "room \(code), version \(event.version): \(error.detail)")
        }
    }

    /// The fold from its beginning up to `version`, each state passed to `body`: slow.
    @discardableResult
    private func refold(to version: Int, _ body: (RoomFold) -> Void = { _ in }) -> RoomFold {
        var result = RoomFold(code: code)
        for (index, record) in records.prefix(version).enumerated() {
            guard let event = RoomEvent(record, sealed: seals[index + 1]) else { break }
            fold(&result, event)
            body(result)
        }
        return result
    }

    // MARK: What is shown

    /// A client is sent the event whose message begins at `start` of `bytes`.
    @inline(__always)
    func show(_ version: Int, _ bytes: [UInt8], from start: Int) {
        guard version <= records.count, version > 0 else {
            return findings.recordBreach(
                "an event is durable before it is shown",
                "room \(code), version \(version) of \(records.count)"
            )
        }
        if version > shownVersion { shownVersion = version }
        if !records[version - 1].isEnd(of: bytes, from: start) {
            findings.recordBreach(
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
        return fold(at: version)
    }

    /// `version` is one of its versions, or 0.
    func fold(at version: Int) -> RoomFold {
        newest.first { $0.version == version } ?? refold(to: version)
    }

    /// The folds from one version on to the newest.
    func folds(from first: Int) -> [RoomFold] {
        if let oldest = newest.first, oldest.version <= first { return newest.filter { $0.version >= first } }
        var folds: [RoomFold] = []
        refold(to: records.count) { if $0.version >= first { folds.append($0) } }
        return folds
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
        branch.newest = newest.filter { $0.version <= version }
        branch.shownVersion = min(shownVersion, version)
        let lost = records.dropFirst(version).compactMap { Value.read($0)?["commitment"]?.string }
        branch.lostCommitments = lostCommitments.union(lost)
        return branch
    }
}
