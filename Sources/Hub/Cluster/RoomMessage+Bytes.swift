import Cryptography
import EventStore
import Games

// What nodes say of a room, as it goes over a link: as `NodeMessage`.

/// How a message begins.
private enum Kind: UInt8 {
    case attach = 1, audience, detach, report, command, say, attached, refused, events, answer, others, said
}

extension BinaryWriter {
    mutating func put(_ message: RoomMessage) {
        switch message {
        case .attach(let attachment):
            put(.attach)
            put(attachment.audience)
            put(attachment.said) { $0.put($1) }
            put(attachment.end)
            put(attachment.since ?? 0)
        case .audience(let audience):
            put(Kind.audience)
            put(audience)
        case .detach: put(Kind.detach)
        case .report(let report):
            put(.report)
            put(report)
        case .command(let command):
            put(.command)
            put(command.player)
            put(command.address)
            put(command.type)
            put(JSONWriter.bytes(command.fields))
            put(command.time)
        case .say(let said, let address):
            put(.say)
            put(said)
            put(address)
        case .attached(let end, let said, let others):
            put(.attached)
            put(end)
            put(said) { $0.put($1) }
            put(others)
        case .refused(let refusal):
            put(.refused)
            put(byte: refusal.rawValue)
        case .events(let events, let head):
            put(.events)
            put(events) { $0.put($1) }
            put(head.bytes)
        case .answer(let address, let version, let text):
            put(.answer)
            put(address)
            put(version)
            put(text)
        case .others(let report):
            put(.others)
            put(report)
        case .said(let said):
            put(.said)
            put(said)
        }
    }

    private mutating func put(_ kind: Kind) { put(byte: kind.rawValue) }

    private mutating func put(_ end: StreamEnd) {
        put(end.version)
        put(end.head.bytes)
    }

    private mutating func put(_ address: ReplyAddress) {
        put(bits: address.member)
        put(address.id)
    }

    private mutating func put(_ audience: Audience) {
        put(audience.connections)
        put(audience.players) { writer, player in
            writer.put(player.id)
            writer.put(player.name)
        }
        put(audience.nameless)
    }

    private mutating func put(_ event: LinkedEvent) {
        put(event.version)
        put(event.time)
        put(event.type)
        put(event.commit.text)
        put(event.shown)
        put(event.hash.bytes)
    }

    private mutating func put(_ company: Company) {
        put(company.names.sorted { $0.key < $1.key }) { writer, entry in
            writer.put(entry.key)
            writer.put(entry.value)
        }
        put(company.nameless)
    }

    private mutating func put(_ report: AttendanceReport) {
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

    private mutating func put(_ said: Said) {
        put(said.player)
        put(said.name ?? "")
        put(said.id)
        switch said.message {
        case .line(let text): put(1, text)
        case .reaction(let emoji): put(2, emoji)
        }
        put(said.time)
    }

    private mutating func put(_ kind: UInt8, _ text: String) {
        put(byte: kind)
        put(text)
    }
}

extension BinaryReader {
    mutating func roomMessage() throws(NodeMessageViolation) -> RoomMessage {
        guard let kind = Kind(rawValue: try byte()) else { throw violation("a kind of a room's message") }
        switch kind {
        case .attach:
            let audience = try audience()
            let said = try list { reader throws(NodeMessageViolation) in try reader.said() }
            let (end, since) = (try end(), try number())
            return .attach(Attachment(audience: audience, said: said, end: end, since: since == 0 ? nil : since))
        case .audience: return .audience(try audience())
        case .detach: return .detach
        case .report: return .report(try report())
        case .command: return .command(try command())
        case .say:
            let said = try said()
            return .say(said, answering: try address())
        case .attached:
            let end = try end()
            let said = try list { reader throws(NodeMessageViolation) in try reader.said() }
            return .attached(end, said: said, others: try company())
        case .refused:
            guard let refusal = RoomMessage.Refusal(rawValue: try byte()) else { throw violation("a refusal") }
            return .refused(refusal)
        case .events:
            let events = try list { reader throws(NodeMessageViolation) in try reader.event() }
            return .events(events, behind: try digest())
        case .answer:
            let (address, version) = (try address(), try count())
            return .answer(address, version: version, try bytes())
        case .others: return .others(try report())
        case .said: return .said(try said())
        }
    }

    private mutating func end() throws(NodeMessageViolation) -> StreamEnd {
        StreamEnd(version: try count(), head: try digest())
    }

    private mutating func command() throws(NodeMessageViolation) -> RoomMessage.Command {
        let (player, address, type) = (try text(), try address(), try text())
        guard let fields = (try? JSONReader.read(try bytes()))?.object else {
            throw violation("the fields of a command")
        }
        return RoomMessage.Command(player: player, address: address, type: type, fields: fields, time: try number())
    }

    private mutating func address() throws(NodeMessageViolation) -> ReplyAddress {
        ReplyAddress(member: try bits(), id: try text())
    }

    private mutating func audience() throws(NodeMessageViolation) -> Audience {
        let connections = try count()
        let players = try list { reader throws(NodeMessageViolation) in
            Audience.Player(id: try reader.text(), name: try reader.text())
        }
        return Audience(connections: connections, players: players, nameless: try count())
    }

    private mutating func event() throws(NodeMessageViolation) -> LinkedEvent {
        LinkedEvent(
            version: try count(), time: try number(), type: try text(), commit: CommitID(text: try text()),
            shown: try bytes(), hash: try digest())
    }

    private mutating func company() throws(NodeMessageViolation) -> Company {
        let names = try list { reader throws(NodeMessageViolation) in (try reader.text(), try reader.text()) }
        return Company(names: Dictionary(names) { one, _ in one }, nameless: try count())
    }

    private mutating func report() throws(NodeMessageViolation) -> AttendanceReport {
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

    private mutating func said() throws(NodeMessageViolation) -> Said {
        let (player, name, id) = (try text(), try text(), try text())
        let message: Chat.Message
        switch try byte() {
        case 1: message = .line(try text())
        case 2: message = .reaction(try text())
        default: throw violation("a line or a reaction")
        }
        return Said(player: player, name: name.isEmpty ? nil : name, id: id, message: message, time: try number())
    }
}
