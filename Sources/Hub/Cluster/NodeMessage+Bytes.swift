import Cryptography
import EventStore
import Games

// Messages as they go over a link: a byte that says which, then the parts in order. Numbers have 8 bytes, the highest
// first; what has a length has it in 4 bytes before it.
extension NodeMessage {
    private enum Kind: UInt8 {
        case attach = 1, detach, report, command, say, attached, refused, events, answer, others, said
    }

    var bytes: [UInt8] {
        var writer = BinaryWriter()
        switch body {
        case .attach(let audience):
            writer.begin(Kind.attach.rawValue, room)
            writer.put(audience.connections)
            writer.put(audience.players) { writer, player in
                writer.put(player.id)
                writer.put(player.name)
            }
            writer.put(audience.nameless)
        case .detach: writer.begin(Kind.detach.rawValue, room)
        case .report(let report):
            writer.begin(Kind.report.rawValue, room)
            writer.put(report)
        case .command(let command):
            writer.begin(Kind.command.rawValue, room)
            writer.put(command.player)
            writer.put(command.address)
            writer.put(command.type)
            writer.put(JSONWriter.bytes(command.fields))
            writer.put(command.time)
        case .say(let said, let address):
            writer.begin(Kind.say.rawValue, room)
            writer.put(said)
            writer.put(address)
        case .attached(let end, let said, let others):
            writer.begin(Kind.attached.rawValue, room)
            writer.put(end.version)
            writer.put(end.head.bytes)
            writer.put(said) { $0.put($1) }
            writer.put(others)
        case .refused(let refusal):
            writer.begin(Kind.refused.rawValue, room)
            writer.put(byte: refusal.rawValue)
        case .events(let events):
            writer.begin(Kind.events.rawValue, room)
            writer.put(events) { writer, event in
                writer.put(event.version)
                writer.put(event.time)
                writer.put(event.type)
                writer.put(event.shown)
                writer.put(event.hash.bytes)
            }
        case .answer(let address, let text):
            writer.begin(Kind.answer.rawValue, room)
            writer.put(address)
            writer.put(text)
        case .others(let report):
            writer.begin(Kind.others.rawValue, room)
            writer.put(report)
        case .said(let said):
            writer.begin(Kind.said.rawValue, room)
            writer.put(said)
        }
        return writer.bytes
    }

    /// Throws where `bytes` are no message: the node at the other end is of another release, or broken.
    init(_ bytes: [UInt8]) throws(NodeMessageViolation) {
        var reader = BinaryReader(bytes)
        guard let kind = Kind(rawValue: try reader.byte()) else { throw reader.violation("a kind of message") }
        room = try reader.text()
        switch kind {
        case .attach:
            let connections = try reader.count()
            let players = try reader.list { reader throws(NodeMessageViolation) in
                Audience.Player(id: try reader.text(), name: try reader.text())
            }
            body = .attach(Audience(connections: connections, players: players, nameless: try reader.count()))
        case .detach: body = .detach
        case .report: body = .report(try reader.report())
        case .command:
            let (player, address, type) = (try reader.text(), try reader.address(), try reader.text())
            guard let fields = (try? JSONReader.read(try reader.bytes()))?.object else {
                throw reader.violation("the fields of a command")
            }
            body = .command(
                Command(player: player, address: address, type: type, fields: fields, time: try reader.number()))
        case .say:
            let said = try reader.said()
            body = .say(said, answering: try reader.address())
        case .attached:
            let end = StreamEnd(version: try reader.count(), head: try reader.digest())
            body = .attached(
                end,
                said: try reader.list { reader throws(NodeMessageViolation) in try reader.said() },
                others: try reader.company())
        case .refused:
            guard let refusal = Refusal(rawValue: try reader.byte()) else { throw reader.violation("a refusal") }
            body = .refused(refusal)
        case .events:
            body = .events(
                try reader.list { reader throws(NodeMessageViolation) in
                    LinkedEvent(
                        version: try reader.count(), time: try reader.number(), type: try reader.text(),
                        shown: try reader.bytes(), hash: try reader.digest())
                })
        case .answer:
            let address = try reader.address()
            body = .answer(address, try reader.bytes())
        case .others: body = .others(try reader.report())
        case .said: body = .said(try reader.said())
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

extension BinaryWriter {
    fileprivate mutating func begin(_ kind: UInt8, _ room: String) {
        put(byte: kind)
        put(room)
    }

    fileprivate mutating func put(_ address: ReplyAddress) {
        put(Int(bitPattern: UInt(address.member)))
        put(address.id)
    }

    fileprivate mutating func put(_ company: Company) {
        put(company.names.sorted { $0.key < $1.key }) { writer, entry in
            writer.put(entry.key)
            writer.put(entry.value)
        }
        put(company.nameless)
    }

    fileprivate mutating func put(_ report: AttendanceReport) {
        switch report {
        case .opened: put(byte: 1)
        case .closed: put(byte: 2)
        case .came(let player, let name):
            put(3, player)
            put(name)
        case .went(let player): put(4, player)
        case .greeted(let player): put(5, player)
        case .spoke(let player): put(6, player)
        case .watching(let count):
            put(byte: 7)
            put(count)
        }
    }

    private mutating func put(_ kind: UInt8, _ player: PlayerID) {
        put(byte: kind)
        put(player)
    }

    fileprivate mutating func put(_ said: Said) {
        put(said.player)
        put(said.id)
        switch said.message {
        case .line(let text):
            put(byte: 1)
            put(text)
        case .reaction(let emoji):
            put(byte: 2)
            put(emoji)
        }
        put(said.time)
    }
}

extension BinaryReader {
    fileprivate mutating func address() throws(NodeMessageViolation) -> ReplyAddress {
        ReplyAddress(member: MemberID(UInt(bitPattern: try number())), id: try text())
    }

    fileprivate mutating func company() throws(NodeMessageViolation) -> Company {
        let names = try list { reader throws(NodeMessageViolation) in (try reader.text(), try reader.text()) }
        return Company(names: Dictionary(names) { one, _ in one }, nameless: try count())
    }

    fileprivate mutating func report() throws(NodeMessageViolation) -> AttendanceReport {
        switch try byte() {
        case 1: .opened
        case 2: .closed
        case 3: .came(try text(), name: try text())
        case 4: .went(try text())
        case 5: .greeted(try text())
        case 6: .spoke(try text())
        case 7: .watching(try count())
        default: throw violation("a report of who is there")
        }
    }

    fileprivate mutating func said() throws(NodeMessageViolation) -> Said {
        let (player, id) = (try text(), try text())
        let message: Chat.Message
        switch try byte() {
        case 1: message = .line(try text())
        case 2: message = .reaction(try text())
        default: throw violation("a line or a reaction")
        }
        return Said(player: player, id: id, message: message, time: try number())
    }
}
