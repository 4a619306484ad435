import Games
import JSON

/// The last event of a room.
public struct RoomClosed: OwnEvent {
    public static let type = "room-closed"

    /// Opens the seed of the next game, which is never played; nil after a running game, and if nothing is dealt.
    public let reveal: Reveal?

    public var fields: Fields { reveal.map { ["reveal": .object($0.fields)] } ?? [:] }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        Reveal.read(fields).map { Self(reveal: $0.reveal) }
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.phase = .closed
        room.facts.proposal = nil
        return true
    }
}
