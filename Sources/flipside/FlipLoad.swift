import Foundation

/// Rooms of one player and three who watch; the player turns two cards, waits until they turn back, and goes on.
struct FlipLoad {
    private final class Room {
        var flippedAt = 0.0
        var awaited = 0
        var nextCell = 0
        var count = 0
        var isFirst = true
        var player: BenchClient?
    }

    private struct Member {
        let client: BenchClient
        let room: Room
        let isPlayer: Bool
    }

    private static let cells = 96
    private var members: [Member] = []
    private var flips = 0
    private var latencies: [Double] = []

    /// Opens a room, and starts its game.
    mutating func addRoom(_ hub: BenchHub) throws {
        let asker = try BenchClient(port: hub.port)
        let token = try hub.register(asker)
        let code = try hub.openRoom(asker, token: token)
        let room = Room()
        for index in 0..<4 {
            let client = try BenchClient(port: hub.port)
            let rest = try client.upgrade("/ws/rooms/\(code)")
            try client.say(index == 0 ? #"{"type":"hello","token":"\#(token)"}"# : #"{"type":"hello"}"#)
            // Until it is greeted, so that all four see the game from its start.
            var isGreeted = false
            try client.take(rest) { if $0.hasPrefix(#"{"type":"welcome""#) { isGreeted = true } }
            while !isGreeted {
                try client.take(client.read()) { if $0.hasPrefix(#"{"type":"welcome""#) { isGreeted = true } }
            }
            members.append(Member(client: client, room: room, isPlayer: index == 0))
        }
        room.player = members[members.count - 4].client
        try room.player?.say(#"{"type":"sit","id":"sit"}"#)
        try room.player?.say(#"{"type":"start","id":"start"}"#)
    }

    /// Flips on disk, and the time of each from being sent to the last of the four members' having it, in seconds.
    mutating func run(seconds: Double) throws -> (flips: Int, latencies: [Double]) {
        var polled = members.map { pollfd(fd: $0.client.descriptor, events: Int16(POLLIN), revents: 0) }
        let end = now() + seconds
        while now() < end {
            guard poll(&polled, nfds_t(polled.count), 100) > 0 else { continue }
            for index in polled.indices where polled[index].revents != 0 {
                let member = members[index]
                try member.client.take(member.client.read()) { try receive($0, member) }
            }
        }
        return (flips, latencies)
    }

    private mutating func receive(_ message: String, _ member: Member) throws {
        let room = member.room
        if message.contains(#""type":"show-card""#) {
            if member.isPlayer { flips += 1 }
            room.awaited -= 1
            guard room.awaited == 0 else { return }
            latencies.append(now() - room.flippedAt)
            room.isFirst.toggle()
            if !room.isFirst { try flip(room) }
        } else if member.isPlayer, message.contains(#""type":"turn""#) {
            room.isFirst = true
            room.awaited = 0
            try flip(room)
        } else if member.isPlayer, message.contains(#""type":"error""#), room.awaited > 0 {
            // A card that was won already: the next one.
            try flip(room)
        } else if member.isPlayer, message.contains(#""type":"game-ended""#) {
            room.count += 1
            try member.client.say(#"{"type":"propose","id":"again\#(room.count)","what":"rematch"}"#)
        }
    }

    private func flip(_ room: Room) throws {
        room.nextCell = (room.nextCell + 1) % Self.cells
        room.count += 1
        room.awaited = 4
        room.flippedAt = now()
        try room.player?.say(#"{"type":"flip","id":"f\#(room.count)","cell":\#(room.nextCell)}"#)
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
