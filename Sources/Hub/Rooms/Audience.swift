import EventStore
import Games
import WebProtocols

/// All who are connected to a room.
final class Audience {
    /// Players who have gone and are remembered.
    private static let goneLimit = 1_000
    /// Presence goes out at most this often, but for new names.
    static let presencePause: Milliseconds = 1_000

    private(set) var members: [Member] = []
    /// When the last connection of a player ended, of those who have none.
    private var goneSince: [PlayerID: Milliseconds] = [:]
    /// When the room woke, or last forgot who has gone: whoever has not come since has been gone for at least as long.
    private var rememberedSince: Milliseconds
    /// Since when nobody has been here.
    private(set) var emptySince: Milliseconds
    /// Whether anyone may be behind: looked at each turn until nobody is.
    private(set) var hasBehind = false
    private var presenceIsDue = false
    private var presenceSent: Milliseconds = 0

    init(now: Milliseconds) {
        emptySince = now
        rememberedSince = now
    }

    func add(_ member: Member) { members.append(member) }

    func remove(_ member: Member, now: Milliseconds) {
        guard let index = members.firstIndex(where: { $0 === member }) else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if members.isEmpty { emptySince = now }
        if let player = member.player?.id, !isConnected(player) { noteGone(player, now: now) }
    }

    private func noteGone(_ player: PlayerID, now: Milliseconds) {
        // Forgetting all of them at times is cheap, and lenient: nobody counts as gone for longer than is known.
        if goneSince.count >= Self.goneLimit { (goneSince, rememberedSince) = ([:], now) }
        goneSince[player] = now
    }

    /// Since when `player` has had no connection; nil while there is one.
    func goneSince(_ player: PlayerID) -> Milliseconds? {
        isConnected(player) ? nil : max(rememberedSince, goneSince[player] ?? rememberedSince)
    }

    /// The same bytes to everybody, in the order of the log.
    func broadcast(_ frame: Frame, now: Milliseconds) {
        for member in members { member.event(frame, now: now) }
    }

    func noteBehind() { hasBehind = true }

    /// Members whose socket has taken all that was queued since they fell behind. Who stays behind too long is closed.
    func takeCaughtUp(now: Milliseconds) -> [Member] {
        guard hasBehind else { return [] }
        hasBehind = false
        var ready: [Member] = []
        for member in members where member.stage == .live {
            guard let since = member.behindSince else { continue }
            if member.channel.queuedBytes == 0 {
                ready.append(member)
            } else if now - since > Member.behindLimit {
                member.close(.tryAgainLater, "you were too slow for too long")
            } else {
                hasBehind = true
            }
        }
        return ready
    }

    /// Ends connections that have not said who they are for too long.
    func closeSilent(now: Milliseconds) {
        for member in members where member.stage == .new && now - member.since > Member.helloLimit {
            member.close(.policyViolation, "nothing was said: a client begins with hello")
        }
    }

    /// Ids of the players who are connected, each once, in order; and how many watch without a seat.
    func presence(seated: Set<PlayerID>) -> (players: [PlayerID], names: [PlayerID: String], spectators: Int) {
        var names: [PlayerID: String] = [:]
        var spectators = 0
        for member in members where member.stage != .new && member.stage != .identifying && member.stage != .closed {
            if let player = member.player {
                if names.updateValue(player.name, forKey: player.id) != nil { continue }
                if !seated.contains(player.id) { spectators += 1 }
            } else {
                spectators += 1
            }
        }
        return (names.keys.sorted(), names, spectators)
    }

    /// - Parameter isNewName: somebody is seen whose name the others may not know: that does not wait.
    func presenceChanged(isNewName: Bool = false) {
        presenceIsDue = true
        if isNewName { presenceSent = 0 }
    }

    /// When presence is to be sent next; nil if nothing has changed since.
    var nextPresence: Milliseconds? { presenceIsDue ? presenceSent + Self.presencePause : nil }

    func sendPresence(_ frame: Frame, now: Milliseconds) {
        presenceIsDue = false
        presenceSent = now
        tell(frame)
    }

    /// Something that is not recorded: whoever is behind does without it.
    func tell(_ frame: Frame) {
        for member in members where member.stage == .live && member.behindSince == nil { member.channel.send(frame) }
    }
}

extension Audience: Attendance {
    func isConnected(_ player: PlayerID) -> Bool {
        members.contains { $0.player?.id == player && $0.stage != .closed && $0.stage != .identifying }
    }

    func isAbsent(_ player: PlayerID, at now: Milliseconds) -> Bool {
        goneSince(player).map { now - $0 >= Room.absence } ?? false
    }
}
