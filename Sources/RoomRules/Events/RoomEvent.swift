import Games
import JSON

/// Names a player in logs and messages; which name it bears is no part of a room's log.
public typealias PlayerID = String

/// What has happened in a room.
public enum RoomEvent: Sendable {
    /// What any room has, whatever its game. Indirect, so that the compiler knows how large an event is: the others,
    /// which are most, are looked at without being copied.
    indirect case own(any OwnEvent)
    /// What is a game's own is carried as the game wrote it.
    case game(GameStep)

    /// All kinds of a room's own events. No game has one of the same name.
    static let ownKinds: [any OwnEvent.Type] = [
        RoomOpened.self, SeatTaken.self, SeatFreed.self, PlayerLeft.self, SeatHelped.self, SeatReturned.self,
        HostChanged.self, PlayerMuted.self, PlayerBanned.self, OptionsChanged.self, VisibilityChanged.self,
        Dealing.self, Ready.self, GameStarted.self, Proposed.self, Answered.self, ProposalEnded.self,
        ClockExtended.self, GameEnded.self, RoomClosed.self,
    ]

    private static let kindsByType = Dictionary(uniqueKeysWithValues: ownKinds.map { ($0.type, $0) })

    /// Whether events of this type are a room's own, whatever its game.
    public static func isOwn(_ type: String) -> Bool { kindsByType[type] != nil }

    /// Reads an event back; nil if its fields do not fit. A type that is none of a room's own is taken to be a game's.
    public init?(type: String, fields: Fields, sealed: [UInt8]?) {
        guard let kind = Self.kindsByType[type] else {
            self = .game(GameStep(type: type, fields: fields))
            return
        }
        guard let event = kind.init(fields, sealed: sealed) else { return nil }
        self = .own(event)
    }

    /// As in the log and on the wire.
    var type: String {
        switch self {
        case .own(let event): Swift.type(of: event).type
        case .game(let step): step.type
        }
    }

    /// What everybody sees of it, besides `v`, `t` and `type`.
    var fields: Fields {
        switch self {
        case .own(let event): event.fields
        case .game(let step): step.fields
        }
    }

    /// What never leaves the hub.
    var sealed: [UInt8]? { own?.sealed }

    /// Nil of a game's.
    public var own: (any OwnEvent)? { if case .own(let event) = self { event } else { nil } }
}

/// One kind of a room's own events: how it is called, how it stands in the log and on the wire, and what it changes.
public protocol OwnEvent: Equatable, Sendable {
    /// As in the log and on the wire: `seat-taken`.
    static var type: String { get }

    /// Nil if `fields` do not fit: those that `fields` below gives.
    init?(_ fields: Fields, sealed: [UInt8]?)
    /// What everybody sees of it, besides `v`, `t` and `type`.
    var fields: Fields { get }
    /// What never leaves the hub; most have nothing of the kind.
    var sealed: [UInt8]? { get }

    /// Records it in `room`, whose `version` and `time` are those before it; false, with nothing changed, where it does
    /// not fit.
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
