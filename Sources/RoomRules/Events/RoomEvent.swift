import Cryptography
import Games
import JSON

/// A player's id in logs and messages. Players' names are not part of a room's log.
public typealias PlayerID = String

/// Something that happened in a room.
public enum RoomEvent: Sendable {
    /// An event that rooms of every game have. It is indirect so that the compiler knows the size of an event.
    /// The others, which are most, are then read without a copy.
    indirect case own(any OwnEvent)
    /// An event of the game, as the game wrote it.
    case game(GameStep)

    /// All kinds of a room's own events. No game has one of the same name.
    static let ownKinds: [any OwnEvent.Type] = [
        RoomOpened.self, SeatTaken.self, SeatFreed.self, PlayerLeft.self, SeatHelped.self, SeatReturned.self,
        HostChanged.self, PlayerMuted.self, PlayerBanned.self, OptionsChanged.self, VisibilityChanged.self,
        Dealing.self, Ready.self, GameStarted.self, Proposed.self, Answered.self, ProposalEnded.self,
        ClockExtended.self, GameEnded.self, RoomClosed.self,
    ]

    private static let kindsByType = Dictionary(uniqueKeysWithValues: ownKinds.map { ($0.type, $0) })

    /// Whether events of this type are a room's own, in every game.
    public static func isOwn(_ type: String) -> Bool { kindsByType[type] != nil }

    /// The digest of what is sealed of a game's event.
    static let seal = "seal"

    /// Reads an event; nil if its fields do not fit. A type that is not a room's own counts as a game's.
    public init?(type: String, fields: Fields, sealed: [UInt8]?) {
        guard let kind = Self.kindsByType[type] else {
            guard let step = GameStep(type: type, fields: fields, sealedBytes: sealed) else { return nil }
            self = .game(step)
            return
        }
        guard let event = kind.read(fields, sealed: sealed) else { return nil }
        self = .own(event)
    }

    /// As in the log and on the wire.
    var type: String {
        switch self {
        case .own(let event): Swift.type(of: event).type
        case .game(let step): step.type
        }
    }

    /// What everyone sees of it, besides `v`, `t` and `type`.
    var fields: Fields {
        switch self {
        case .own(let event): event.fields
        case .game(let step): step.shownFields
        }
    }

    /// The part that only the hub knows.
    var sealed: [UInt8]? {
        switch self {
        case .own(let event): event.sealed
        case .game(let step): step.sealed?.bytes
        }
    }

    /// Nil for a game's event.
    public var own: (any OwnEvent)? { if case .own(let event) = self { event } else { nil } }
}

extension GameStep {
    /// Nil if the seal is none, or not that of the sealed bytes.
    fileprivate init?(type: String, fields: Fields, sealedBytes: [UInt8]?) {
        guard let seal = fields[RoomEvent.seal] else {
            guard sealedBytes == nil else { return nil }
            self.init(type: type, fields: fields)
            return
        }
        guard let digest = seal.string.flatMap({ Digest(hex: $0) }) else { return nil }
        var rest = fields
        rest[RoomEvent.seal] = nil
        guard let sealedBytes else {
            self.init(type: type, fields: rest, sealed: .committed(digest))
            return
        }
        guard let sealed = SealedFields(bytes: sealedBytes), sealed.digest == digest else { return nil }
        self.init(type: type, fields: rest, sealed: sealed)
    }

    /// What everyone sees of it, with the digest of what is sealed.
    fileprivate var shownFields: Fields {
        sealed.map { fields.merging([RoomEvent.seal: .string($0.digest.hex)]) } ?? fields
    }
}

/// One kind of a room's own events: its type, its form in the log and on the wire, and what it changes.
public protocol OwnEvent: Equatable, Sendable {
    /// As in the log and on the wire: `seat-taken`.
    static var type: String { get }

    /// Reads the `fields` and `sealed` of such an event; nil if they do not fit.
    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self?
    /// What everyone sees of it, besides `v`, `t` and `type`.
    var fields: Fields { get }
    /// The part that only the hub knows; nil for most.
    var sealed: [UInt8]? { get }

    /// Folds it into `room`, whose `version` and `time` are still those before it; false, with nothing changed, if it
    /// does not fit.
    func fold(into room: inout RoomState, at time: Milliseconds) throws(RoomState.FoldError) -> Bool
}

extension OwnEvent {
    public var sealed: [UInt8]? { nil }

    fileprivate func isEqual(to other: any OwnEvent) -> Bool { other as? Self == self }
}

extension RoomEvent: Equatable {
    public static func == (one: RoomEvent, other: RoomEvent) -> Bool {
        switch (one, other) {
        case (.own(let one), .own(let other)): one.isEqual(to: other)
        case (.game(let one), .game(let other)): one == other
        case (.own, .game), (.game, .own): false
        }
    }
}
