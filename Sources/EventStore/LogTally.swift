import Cryptography
import Records

/// The content of a log up to a position, in a few numbers. Kept outside the log, it later shows whether the log still
/// holds that content. A stream's hashes alone cannot show that its newest records are gone, and do not cover the ids
/// of commits.
///
/// It detects accidents only: anyone who alters a log on purpose can alter this note too.
public struct LogTally: Sendable, Equatable {
    /// The highest position drawn.
    public internal(set) var position = 0
    /// Records of streams that are never erased.
    public private(set) var lasting = RecordSum()
    /// Records of streams that a commit may erase.
    public private(set) var erasable = RecordSum()

    /// The tally of an empty log.
    public init() {}

    /// Nil unless `text` is the `text` of a tally.
    public init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 5, let position = Int(words[0]), position >= 0,
            let lasting = RecordSum(words[1], words[2]), let erasable = RecordSum(words[3], words[4])
        else { return nil }
        (self.position, self.lasting, self.erasable) = (position, lasting, erasable)
    }

    /// All of it as numbers and hexadecimal digits, separated by spaces.
    public var text: String {
        "\(position) \(lasting.count) \(lasting.hex) \(erasable.count) \(erasable.hex)"
    }

    /// Adds a record. The order does not matter.
    public mutating func add(_ record: Record, isErasable: Bool) {
        if isErasable { erasable.add(record) } else { lasting.add(record) }
    }

    /// Removes a record whose stream is erased.
    mutating func remove(_ record: Record) { erasable.remove(record) }

    /// The difference between a log now and when this was noted.
    ///
    /// - Parameter found: the tally of the log now, up to this position.
    /// - Parameter end: the highest position drawn in the log.
    /// - Parameter hasErased: whether something was erased since, after which erasable streams cannot be compared.
    public func difference(from found: LogTally, at end: Int, hasErased: Bool) -> LogDifference? {
        if end < position { return .older(by: position - end, than: position) }
        let lost = lasting.count - found.lasting.count + (hasErased ? 0 : erasable.count - found.erasable.count)
        if lost > 0 { return .lacks(lost, upTo: position) }
        let isSame = lasting == found.lasting && (hasErased || erasable == found.erasable)
        return isSame ? nil : .altered(upTo: position)
    }
}

/// The number of records and the sum of their hashes.
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

    /// A record's hash covers what is shown and sealed. The rest is mixed in, in some 250 instructions; another SHA-256
    /// would take thousands.
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
    /// It ends this many records and erasures before a position that it had reached.
    case older(by: Int, than: Int)
    /// This many of the records that it had at a position are missing.
    case lacks(Int, upTo: Int)
    /// As many records as before, but not the same ones.
    case altered(upTo: Int)

    /// For a person.
    public var sentence: String {
        switch self {
        case .older(let count, let position): "it has lost its newest \(count) records, up to position \(position)"
        case .lacks(let count, let position):
            "\(count) of the records up to position \(position) are missing or cannot be read"
        case .altered(let position):
            "in a record up to position \(position), a commit's id, a type or a time was altered"
        }
    }
}
