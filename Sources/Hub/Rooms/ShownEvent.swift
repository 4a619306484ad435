import Cryptography
import EventStore
import WebProtocols

/// A recorded event as members get it: what an edge needs of a record.
struct ShownEvent {
    let version: Int
    /// The record's.
    let hash: Digest
    let type: String
    let frame: Frame

    init(_ record: Record) {
        (version, hash, type) = (record.version, record.hash, record.event.type)
        frame = .text(record.event.shown)
    }
}
