import Cryptography
import Records

/// What a log holds up to a position, in a few numbers. Kept outside the log, it tells later whether the log still
/// holds it: the hashes of a stream's records cannot say that its newest ones are gone, and say nothing of the ids of
/// commits.
///
/// It is made for accidents: anyone who alters a log on purpose can alter this note, too.
public struct LogTally: Sendable, Equatable {
    /// The highest position given.
    public internal(set) var position = 0
    /// Of streams that are never erased.
    public private(set) var lasting = RecordSum()
    /// Of streams that a commit may erase.
    public private(set) var erasable = RecordSum()

    /// Of a log that holds nothing.
    public init() {}

    /// Nil unless `text` is what another tally's `text` was.
    public init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 5, let position = Int(words[0]), position >= 0,
            let lasting = RecordSum(words[1], words[2]), let erasable = RecordSum(words[3], words[4])
        else { return nil }
        (self.position, self.lasting, self.erasable) = (position, lasting, erasable)
    }

    /// All of it, to be kept: numbers and hexadecimal digits, with a space between.
    public var text: String {
        "\(position) \(lasting.count) \(lasting.hex) \(erasable.count) \(erasable.hex)"
    }

    /// Takes one record more, in any order; its stream can be erased or not.
    public mutating func add(_ record: Record, isErasable: Bool) {
        if isErasable { erasable.add(record) } else { lasting.add(record) }
    }

    /// Takes out a record whose stream is erased.
    mutating func remove(_ record: Record) { erasable.remove(record) }

    /// How a log differs from what it was when this was noted.
    ///
    /// - Parameter found: of the records that are in the log now, as far as this position.
    /// - Parameter end: the highest position that was given in the log.
    /// - Parameter hasErased: something was erased since: of streams that can be erased nothing can be said.
    public func difference(from found: LogTally, at end: Int, hasErased: Bool) -> LogDifference? {
        if end < position { return .older(by: position - end, than: position) }
        let lost = lasting.count - found.lasting.count + (hasErased ? 0 : erasable.count - found.erasable.count)
        if lost > 0 { return .lacks(lost, upTo: position) }
        let isSame = lasting == found.lasting && (hasErased || erasable == found.erasable)
        return isSame ? nil : .altered(upTo: position)
    }
}

/// How many records there are, and what they add up to.
public struct RecordSum: Sendable, Equatable {
    public private(set) var count = 0
    private var sum = SIMD4<UInt64>()

    init() {}

    fileprivate init?(_ count: Substring, _ hex: Substring) {
        guard let count = Int(count), count >= 0, let digest = Digest(hex: hex) else { return nil }
        (self.count, sum) = (count, digest.lanes)
    }

    fileprivate var hex: String { Digest(lanes: sum).hex }

    fileprivate mutating func add(_ record: Record) {
        count += 1
        sum &+= Self.share(of: record)
    }

    fileprivate mutating func remove(_ record: Record) {
        count -= 1
        sum &-= Self.share(of: record)
    }

    /// The hash of a record speaks for what is shown and sealed; what is kept besides is mixed in: some 250
    /// instructions, where another SHA-256 takes thousands.
    private static func share(of record: Record) -> SIMD4<UInt64> {
        var mix = WordMix()
        mix.add(UInt64(bitPattern: Int64(record.position)))
        mix.add(UInt64(bitPattern: Int64(record.event.time)))
        mix.add(record.event.type)
        mix.add(record.commit.text)
        var share = record.hash.lanes
        share[0] &+= mix.value
        return share
    }
}

/// How a log differs from what it was.
public enum LogDifference: Error, Sendable, Equatable {
    /// It ends so many records and erasures before a position that it had reached.
    case older(by: Int, than: Int)
    /// So many records are missing of those that it had at a position.
    case lacks(Int, upTo: Int)
    /// As many records as there were, and not the same.
    case altered(upTo: Int)

    /// For a person.
    public var sentence: String {
        switch self {
        case .older(let count, let position):
            "it is older than it was: its newest \(count) records are missing, up to position \(position)"
        case .lacks(let count, let position):
            "\(count) records are missing, or cannot be read, of those it had when position \(position) was written"
        case .altered(let position):
            "the id of a commit, a type or a time is not what was written, in a record up to position \(position)"
        }
    }
}
