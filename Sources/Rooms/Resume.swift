import Cryptography
import EventStore
import Records
import WebProtocols

/// A member that has seen the room up to a version, and is brought up to date from there.
final class Resume: LogClient {
    /// Most events that a resume brings. Past it a `welcome` is shorter.
    static let limit = 2_000

    let member: Member
    /// The newest version that the member has seen.
    private let after: Int
    /// The hash at that version; nil if the client did not say.
    private let head: Digest?
    /// The ticket of the older events that are being read, and the newest version when they were asked for.
    var reading: (ticket: Ticket, upTo: Int)?

    init(of member: Member, after: Int, head: Digest?) { (self.member, self.after, self.head) = (member, after, head) }

    private var edge: RoomEdge { member.room.edge }
    private var room: RoomStream { member.room.stream }

    func start() {
        reading = nil
        guard after <= room.version else {
            member.stage = .resuming(held: [])
            return edge.readFurther(for: self)
        }
        guard room.version - after <= Self.limit else { return edge.welcome(member, .welcome) }
        guard let missed = edge.recent.behind(after) else { return load() }
        guard head == nil || head == missed.head else { return edge.welcome(member, .diverged) }
        edge.resume(member, missed.frames)
    }

    /// The whole log has been read. A member that has seen more has seen events that are lost.
    func logIsRead() {
        guard member.isResuming else { return }
        if after <= room.version { start() } else { edge.welcome(member, .diverged) }
    }

    /// Events that are being read may be lost, so they are read again.
    func restart() { if reading != nil, member.isResuming { start() } }

    private func load() {
        let surroundings = edge.surroundings
        let ticket = surroundings.log.ticket(for: self)
        member.stage = .resuming(held: [])
        reading = (ticket, room.version)
        // The record at `after` itself is needed too, for its hash.
        let first = max(0, after - 1)
        surroundings.log.load(room.name, after: first, limit: room.version - first, ticket: ticket)
    }

    func logSent(_ message: LogMessage, ticket: Ticket) {
        edge.surroundings.log.closeTicket(ticket)
        guard case .loaded(_, let result) = message, member.resume === self, let reading, reading.ticket == ticket,
            case .resuming(let held) = member.stage
        else { return }
        guard case .success(let records) = result, records.last?.version == reading.upTo else {
            return edge.welcome(member, .welcome)
        }
        let known = after == 0 ? room.name.origin : records.first?.hash
        guard head == nil || head == known else { return edge.welcome(member, .diverged) }
        let missed = records.filter { $0.version > after }.map { Frame.text($0.event.shown) }
        guard missed.count + held.count <= Self.limit else { return edge.welcome(member, .welcome) }
        edge.resume(member, missed + held)
    }
}
