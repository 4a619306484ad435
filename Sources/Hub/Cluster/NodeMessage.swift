import EventStore
import Games

/// What nodes say to each other. Nothing that is sealed is in it, but what members ask for is: a nonce before its event
/// is durable.
enum NodeMessage: Equatable, Sendable {
    case room(String, NodeSession, RoomMessage)
    /// An account is another than before, or may be; nil: any.
    case accountChanged(PlayerID?)
    /// From a room's home, for lists: how many are there.
    case presence(PresenceCount, in: String)
    /// From a loop, when homes move.
    case handOver(HandOverNote)
    /// To a room's home, from the loop `asker`.
    case question(RoomQuestion, about: String, asker: Int, number: UInt64)
    case reply(RoomReply, asker: Int, number: UInt64)
}

extension ShardDirectory {
    /// A message from another node reaches whom it is for.
    func deliver(_ message: NodeMessage, from node: NodeName) {
        switch message {
        case .room(let code, let session, let message):
            post(.node(message, session, about: code, from: node), to: shardIndex(ofRoom: code, count: count))
        case .accountChanged(let player):
            for shard in 0..<count { post(player.map { .accountChanged($0) } ?? .namesCaughtUp, to: shard) }
        case .presence(let presence, let code): post(.presence(presence, in: code, from: node), to: 0)
        case .handOver(let note): for shard in 0..<count { post(.handOver(note, from: node), to: shard) }
        case .question(let question, let code, let asker, let number):
            let asker = ShardCalls.Asker.node(node, shard: asker)
            post(
                .question(question, code: code, asker: asker, number: number),
                to: shardIndex(ofRoom: code, count: count))
        case .reply(let reply, let asker, let number):
            if (0..<count).contains(asker) { post(.reply(reply, number: number), to: asker) }
        }
    }
}

// Messages as they go over a link: a byte that says which, then the parts in order. Numbers have 8 bytes, the highest
// first; what has a length has it in 4 bytes before it.
extension NodeMessage {
    private enum Kind: UInt8 {
        case room = 1, accountChanged, presence, question, reply, handOver
    }

    var bytes: [UInt8] {
        var writer = BinaryWriter()
        switch self {
        case .room(let code, let session, let message):
            writer.put(byte: Kind.room.rawValue)
            writer.put(code)
            writer.put(bits: session.number)
            writer.put(message)
        case .accountChanged(let player):
            writer.put(byte: Kind.accountChanged.rawValue)
            writer.put(player.map { [$0] } ?? []) { $0.put($1) }
        case .presence(let count, let code):
            writer.put(byte: Kind.presence.rawValue)
            writer.put(code)
            writer.put(count.present)
            writer.put(count.spectators)
            writer.put(count.hostName.map { [$0] } ?? []) { $0.put($1) }
        case .handOver(let note):
            writer.put(byte: Kind.handOver.rawValue)
            writer.put(note.epoch)
            writer.put(byte: note.isSettled ? 1 : 0)
            writer.put(note.hubVersion.map { [$0] } ?? []) { $0.put($1) }
            writer.put(note.loop)
            writer.put(note.loops)
        case .question(let question, let code, let asker, let number):
            writer.put(byte: Kind.question.rawValue)
            writer.put(byte: question.rawValue)
            writer.put(code)
            writer.put(asker)
            writer.put(bits: number)
        case .reply(let reply, let asker, let number):
            writer.put(byte: Kind.reply.rawValue)
            writer.put(reply)
            writer.put(asker)
            writer.put(bits: number)
        }
        return writer.bytes
    }

    /// Throws where `bytes` are no message: the node at the other end is of another release, or broken.
    init(_ bytes: [UInt8]) throws(NodeMessageViolation) {
        var reader = BinaryReader(bytes)
        guard let kind = Kind(rawValue: try reader.byte()) else { throw reader.violation("a kind of message") }
        switch kind {
        case .room: self = .room(try reader.text(), NodeSession(try reader.bits()), try reader.roomMessage())
        case .accountChanged:
            self = .accountChanged(
                try reader.list { reader throws(NodeMessageViolation) in try reader.text() }.first)
        case .presence:
            let code = try reader.text()
            var count = PresenceCount(present: try reader.count(), spectators: try reader.count())
            count.hostName = try reader.list { reader throws(NodeMessageViolation) in try reader.text() }.first
            self = .presence(count, in: code)
        case .handOver:
            let (epoch, stage) = (try reader.count(), try reader.byte())
            let note = HandOverNote(
                epoch: epoch, isSettled: stage == 1,
                hubVersion: try reader.list { reader throws(NodeMessageViolation) in try reader.count() }.first,
                loop: try reader.count(), loops: try reader.count())
            guard stage <= 1, (1...HandOverNote.loopLimit).contains(note.loops), note.loop < note.loops else {
                throw reader.violation("how far one of a node's loops is")
            }
            self = .handOver(note)
        case .question:
            guard let question = RoomQuestion(rawValue: try reader.byte()) else {
                throw reader.violation("a question about a room")
            }
            self = .question(
                question, about: try reader.text(), asker: try reader.count(), number: try reader.bits())
        case .reply:
            self = .reply(try reader.reply(), asker: try reader.count(), number: try reader.bits())
        }
        guard reader.isAtEnd else { throw reader.violation("the end of the message") }
    }
}

/// Bytes that are no message of this release.
struct NodeMessageViolation: Error, Equatable {
    /// How many bytes of it were read.
    let offset: Int
    let expected: String

    var sentence: String { "at byte \(offset) of a message between nodes \(expected) was expected" }
}

// What a room's home answers.
extension BinaryWriter {
    fileprivate mutating func put(_ reply: RoomReply) {
        switch reply {
        case .exists: put(byte: 1)
        case .description(let bytes):
            put(byte: 2)
            put(bytes)
        case .row(let row):
            put(byte: 3)
            put(row.values) { $0.put($1) }
        case .absent: put(byte: 4)
        case .broken: put(byte: 5)
        case .unread: put(byte: 6)
        case .tooMany: put(byte: 7)
        }
    }

    private mutating func put(_ value: RowValue) {
        switch value {
        case .null: put(byte: 0)
        case .integer(let number):
            put(byte: 1)
            put(number)
        case .text(let text):
            put(byte: 2)
            put(text)
        case .bytes(let bytes):
            put(byte: 3)
            put(bytes)
        }
    }
}

extension BinaryReader {
    fileprivate mutating func reply() throws(NodeMessageViolation) -> RoomReply {
        switch try byte() {
        case 1: return .exists
        case 2: return .description(try bytes())
        case 3:
            let values = try list { reader throws(NodeMessageViolation) in try reader.value() }
            guard RoomRow.table.fits(values) else { throw violation("a room's row") }
            return .row(RoomRow(values))
        case 4: return .absent
        case 5: return .broken
        case 6: return .unread
        case 7: return .tooMany
        default: throw violation("an answer about a room")
        }
    }

    private mutating func value() throws(NodeMessageViolation) -> RowValue {
        switch try byte() {
        case 0: .null
        case 1: .integer(try number())
        case 2: .text(try text())
        case 3: .bytes(try bytes())
        default: throw violation("a value of a row")
        }
    }
}
