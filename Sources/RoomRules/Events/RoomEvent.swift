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

    /// Reads an event; nil if its fields do not fit. A type that is not a room's own counts as a game's.
    public init?(type: String, fields: Fields, sealed: [UInt8]?) {
        guard let kind = Self.kindsByType[type] else {
            self = .game(GameStep(type: type, fields: fields))
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
        case .game(let step): step.fields
        }
    }

    /// The part that never leaves the hub.
    var sealed: [UInt8]? { own?.sealed }

    /// Nil for a game's event.
    public var own: (any OwnEvent)? { if case .own(let event) = self { event } else { nil } }
}

/// One kind of a room's own events: its type, its form in the log and on the wire, and what it changes.
public protocol OwnEvent: Equatable, Sendable {
    /// As in the log and on the wire: `seat-taken`.
    static var type: String { get }

    /// Reads the `fields` and `sealed` of such an event; nil if they do not fit.
    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self?
    /// What everyone sees of it, besides `v`, `t` and `type`.
    var fields: Fields { get }
    /// The part that never leaves the hub; nil for most.
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
