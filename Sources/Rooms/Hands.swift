import Games
import RoomRules
import WebProtocols

/// The hands of a room's running game at one version, as messages. Each is for the player who has it, and no one else
/// gets a byte of it.
struct Hands {
    private let room: RoomStream
    /// Those that were made. A player may have several connections.
    private var frames: [Seat: Frame] = [:]

    init(of room: RoomStream) { self.room = room }

    /// Whether the game has any. If one player has no hand, none has.
    var areDealt: Bool { room.state.playing.keys.first.flatMap { room.state.hand(of: $0) } != nil }

    /// The hand of the member's player; nil if the member plays no such game.
    mutating func frame(for member: Member) -> Frame? {
        guard let player = member.player, let seat = room.state.playingSeat(of: player.id) else { return nil }
        if let frame = frames[seat] { return frame }
        frames[seat] = room.state.hand(of: seat).map { HubMessage.hand($0, of: seat, version: room.version) }
        return frames[seat]
    }
}
