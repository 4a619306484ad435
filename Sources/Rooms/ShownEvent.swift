import Cryptography
import Records
import WebProtocols

/// A recorded event as members get it: what an edge needs of a record.
struct ShownEvent {
    let version: Int
    /// The record's.
    let hash: Digest
    let type: String
    private var message: Message

    private enum Message {
        /// The log's bytes.
        case recorded([UInt8])
        case framed(Frame)
    }

    init(_ record: Record) {
        (version, hash, type) = (record.version, record.hash, record.event.type)
        message = .recorded(record.event.shown)
    }

    /// One for all members, made for the first of them. Most of what a room reads when it wakes is sent to nobody.
    var frame: Frame {
        mutating get {
            switch message {
            case .framed(let frame): return frame
            case .recorded(let bytes):
                let frame = Frame.text(bytes)
                message = .framed(frame)
                return frame
            }
        }
    }
}
