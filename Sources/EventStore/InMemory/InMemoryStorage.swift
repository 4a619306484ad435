import Synchronization

/// What an `InMemoryLog` has written. It outlives the log's crash as a disk would: open another log on it.
public final class InMemoryStorage: Sendable {
    private let ledger = Mutex(Ledger())

    public init() {}

    /// Another with the same in it, from which each goes its own way.
    public init(copying other: InMemoryStorage) {
        let copied = other.withLedger { $0 }
        ledger.withLock { $0 = copied }
    }

    /// All records of `stream`, as they are: unchecked.
    public func records(of stream: StreamName) -> [Record] {
        ledger.withLock { $0.records(of: stream) }
    }

    public func end(of stream: StreamName) -> StreamEnd { ledger.withLock { $0.end(of: stream) } }

    /// All records of all streams in the order of their positions, unchecked.
    public var records: [Record] { ledger.withLock { $0.records } }

    /// The records behind `position`, in order, unchecked.
    public func records(after position: Int) -> ArraySlice<Record> {
        ledger.withLock { $0.records(after: position) }
    }

    /// The streams that were erased behind `position`, in order: no engine can tell, but whoever looks on.
    public func erasedStreams(after position: Int) -> [StreamName] {
        ledger.withLock { ledger in
            ledger.erasedStreams.reversed().prefix { $0.position > position }.reversed().map(\.stream)
        }
    }

    /// The highest position given so far.
    public var lastPosition: Int { ledger.withLock { $0.lastPosition } }

    /// Alters a record behind the log's back: from there on the stream's chain is broken.
    public func alter(_ stream: StreamName, version: Int, shown: [UInt8]) {
        ledger.withLock { $0.alter(stream, version: version, shown: shown) }
    }

    /// Takes from `stream` what is behind `version`, as going back to a backup does.
    public func cutBack(_ stream: StreamName, to version: Int) {
        ledger.withLock { $0.cutBack(stream, to: version) }
    }

    func withLedger<Answer: Sendable>(_ body: (inout Ledger) -> Answer) -> Answer {
        ledger.withLock { body(&$0) }
    }
}
