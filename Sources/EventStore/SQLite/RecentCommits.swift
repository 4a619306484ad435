import Records

/// The newest commits of streams that were written to recently, so that a new commit need not be looked for among them
/// in the file. A stream's older commits are in the table `commits`, to which they go a block at a time: one row with
/// each append would cost a page somewhere in the file each time.
struct RecentCommits {
    /// Versions whose commits go to the table together.
    static let block = 256
    /// Most commits of all streams: about 20 MB. Beyond it all are forgotten, and each stream's are read once more.
    private let limit: Int

    /// By the stream's number, then by a hash of the id: the file has the last word on a commit that may be there. Of
    /// ids with one hash, the latest version counts.
    private var streams: [Int: [UInt32: Int]] = [:]
    private var count = 0

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Commits up to this version are in the table once the stream has reached `version`.
    static func filed(at version: Int) -> Int { version / block * block }

    func has(_ stream: Int) -> Bool { streams[stream] != nil }

    /// No record of this commit is later than this version. Nil if it is not among the stream's newest.
    func latest(_ commit: CommitID, in stream: Int) -> Int? { streams[stream]?[RecentCommits.hash(commit)] }

    /// All of a stream's commits after those in the table are added next.
    mutating func begin(_ stream: Int) {
        if count >= limit { forgetAll() }
        streams[stream] = [:]
    }

    mutating func add(_ commit: CommitID, at version: Int, in stream: Int) {
        if streams[stream, default: [:]].updateValue(version, forKey: RecentCommits.hash(commit)) == nil { count += 1 }
    }

    /// They are in the table.
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

    /// Differs from process to process, so that no client can choose ids of one hash.
    static func hash(_ commit: CommitID) -> UInt32 { UInt32(truncatingIfNeeded: commit.hashValue) }
}
