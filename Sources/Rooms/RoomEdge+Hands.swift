import Games
import RoomRules
import WebProtocols

// What goes to a single player of a game with hands. No one else gets a byte of it.
extension RoomEdge {
    /// Sends each player the hand at this version. It follows every commit, whether or not that has changed it, so that
    /// clients know when they have seen all that they may act on.
    func showHands() {
        // If one player has no hand, none has.
        guard !members.isEmpty, let some = room.state.playing.keys.first, room.state.hand(of: some) != nil else {
            return
        }
        var frames: [Seat: Frame] = [:]
        for member in members where member.isLive {
            guard let seat = playingSeat(of: member), let frame = frames[seat] ?? hand(of: seat) else { continue }
            frames[seat] = frame
            tell(frame, to: member)
        }
    }

    /// Follows a greeting and its events; empty if the member has no hand.
    func hand(of member: Member) -> [Frame] { [playingSeat(of: member).flatMap(hand)].compactMap(\.self) }

    private func hand(of seat: Seat) -> Frame? {
        room.state.hand(of: seat).map { HubMessage.hand($0, of: seat, version: room.version) }
    }

    private func playingSeat(of member: Member) -> Seat? { member.player.flatMap { room.state.playingSeat(of: $0.id) } }
}
