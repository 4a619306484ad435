import Records

/// The newest commits of streams that were written to recently, so that a new commit need not be looked for among them
/// in the file. A stream's older commits are in the table `commits`, to which they go a block at a time: one row with
/// each append would cost a page somewhere in the file each time.
struct RecentCommits {
    /// Versions whose commits go to the table together.
    static let block = 256
    /// What a stream costs besides its commits, in commits.
    private static let streamCost = 8

    /// By the stream's number, then by a hash of the id: the file decides whether the commit is there. Of ids with one
    /// hash, the latest version counts.
    private var streams: [Int: [UInt32: Int]] = [:]
    private var count = 0
    private let limit: Int

    /// Beyond this many commits, about 20 MB, all are forgotten, and each stream's are read again.
    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Commits up to this version are in the table once the stream has reached `version`.
    static func storedVersion(at version: Int) -> Int { version / block * block }

    /// Called between commits: what one looked up must stay until it is written.
    mutating func makeRoom() { if count + streams.count * RecentCommits.streamCost >= limit { forgetAll() } }

    func has(_ stream: Int) -> Bool { streams[stream] != nil }

    /// No record of this commit is later than this version. Nil if it is not among the stream's newest.
    func latest(_ commit: CommitID, in stream: Int) -> Int? { streams[stream]?[RecentCommits.hash(commit)] }

    /// The caller then adds all of the stream's commits that are not in the table.
    mutating func startStream(_ stream: Int) { streams[stream] = [:] }

    /// Does nothing if the stream was not started: part of its commits would be worse than none.
    mutating func add(_ commit: CommitID, at version: Int, in stream: Int) {
        if streams[stream]?.updateValue(version, forKey: RecentCommits.hash(commit)) == .some(nil) { count += 1 }
    }

    /// Called when they are in the table.
    mutating func forget(upTo version: Int, of stream: Int) {
        guard let commits = streams[stream] else { return }
        let left = commits.filter { $0.value > version }
        count += left.count - commits.count
        streams[stream] = left
    }

    mutating func forget(_ stream: Int) { count -= streams.removeValue(forKey: stream)?.count ?? 0 }

    mutating func forgetAll() {
        streams.removeAll()
        count = 0
    }

    /// Two ids with one hash only cost a look into the index.
    static func hash(_ commit: CommitID) -> UInt32 { UInt32(truncatingIfNeeded: commit.hashValue) }
}
