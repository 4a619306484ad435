import Cryptography
import EventStore
import Games

/// What nodes say to each other of a room: its edges to its home, and its home to its edges.
enum RoomMessage: Equatable, Sendable {
    // From an edge to the home.
    /// This node has members of the room: from now on it is told all that is shown.
    case attach(Attachment)
    /// Others are there than when it said so.
    case audience(Audience)
    /// It has none any more.
    case detach
    case report(AttendanceReport)
    case command(Command)
    case say(Said, answering: ReplyAddress)

    // From the home to an edge.
    /// The edge is told what comes behind this version of the log.
    case attached(StreamEnd, said: [Said], others: Company)
    /// The room cannot be had there.
    case refused(Refusal)
    /// `behind`: the head that the first of them follows, as each other one follows the one ahead of it.
    case events([LinkedEvent], behind: Digest)
    /// What became of what a member asked for: as the client is told it.
    /// `version`: what the home had shown by then.
    case answer(ReplyAddress, version: Int, [UInt8])
    /// Who is there by all other edges, of whom none has told this one before.
    case others(AttendanceReport)
    case said(Said)

    enum Refusal: UInt8, Sendable {
        /// The node that was asked is not the room's home, by all that it knows.
        case notHome
        /// Its log is damaged.
        case broken
        /// The home does not know of this edge, or not yet of the room.
        case unknown
    }

    /// A command of a member, as the client sent it.
    struct Command: Equatable, Sendable {
        let player: PlayerID
        let address: ReplyAddress
        let type: String
        let fields: Fields
        /// When it reached the hub.
        let time: Milliseconds
    }
}

extension RoomMessage {
    /// What a home has not judged, for another one; nil of what its own clock or another edge will ask for.
    init?(_ request: RoomRequest) {
        switch request.asker {
        case .member(let player, let address):
            guard address.node == nil, let sent = request.sent else { return nil }
            self = .command(
                RoomMessage.Command(
                    player: player, address: address, type: sent.type, fields: sent.fields, time: request.time))
        case .player(let player): self = .report(.spoke(player))
        case .computer: return nil
        }
    }

    /// Whether an edge says it to the home.
    var isForHome: Bool {
        switch self {
        case .attach, .audience, .detach, .report, .command, .say: true
        case .attached, .refused, .events, .answer, .others, .said: false
        }
    }

    /// Who waits for an answer to it.
    var address: ReplyAddress? {
        switch self {
        case .command(let command): command.address
        case .say(_, let address): address
        default: nil
        }
    }
}

/// An edge that asks to be told what is shown.
struct Attachment: Equatable, Sendable {
    let audience: Audience
    /// What it has heard last.
    let said: [Said]
    /// What it has read of the log, which a home that knows otherwise compares.
    let end: StreamEnd
    /// Since when no home has heard its members; nil: they have just come.
    let since: Milliseconds?
}

/// Who is connected by an edge, when it says that it is there.
struct Audience: Equatable, Sendable {
    struct Player: Equatable, Sendable {
        let id: PlayerID
        let name: String
    }

    /// All, whoever they are.
    var connections: Int
    /// One entry for each connection of somebody's.
    var players: [Player]
    /// Those that are nobody's, and have been greeted.
    var nameless: Int
}

/// What somebody said in a room.
struct Said: Equatable, Sendable {
    let player: PlayerID
    /// What the player is called, for nodes that have not met the player; nil: it is not known, or was given up.
    let name: String?
    /// The player's id, and how the client called it: nothing is said twice.
    let id: String
    let message: Chat.Message
    let time: Milliseconds
}

extension Said {
    init(_ line: Chat.Line, name: String?) {
        self.init(player: line.from, name: name, id: line.id, message: .line(line.text), time: line.time)
    }
}

/// A recorded event without what is sealed: with the hash that it has in its chain all the same.
struct LinkedEvent: Equatable, Sendable {
    let version: Int
    let time: Milliseconds
    let type: String
    /// Whoever becomes the room's home knows by it what was done already.
    let commit: CommitID
    let shown: [UInt8]
    let hash: Digest

    init(version: Int, time: Milliseconds, type: String, commit: CommitID, shown: [UInt8], hash: Digest) {
        (self.version, self.time, self.type, self.commit) = (version, time, type, commit)
        (self.shown, self.hash) = (shown, hash)
    }

    init(_ record: Record) {
        self.init(
            version: record.version, time: record.event.time, type: record.event.type, commit: record.commit,
            shown: record.event.shown, hash: record.hash)
    }

    /// As an edge folds it.
    func record(in stream: StreamName) -> Record {
        Record(
            stream: stream, version: version, position: 0, commit: commit,
            event: Event(time: time, type: type, shown: shown), hash: hash)
    }
}
