import Games
import JSON

/// Nothing comes after this.
public struct RoomClosed: OwnEvent {
    public static let type = "room-closed"

    /// Of a game that was never played.
    public let reveal: Reveal?
}

extension RoomClosed {
    public var fields: Fields { reveal.map { ["reveal": .object($0.fields)] } ?? [:] }

    public init?(_ fields: Fields, sealed: [UInt8]?) {
        self.init(reveal: fields["reveal"]?.object.flatMap { Reveal($0) })
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.phase = .closed
        room.facts.proposal = nil
        return true
    }
}
