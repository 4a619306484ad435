import Cryptography
import Games
import JSON
import RoomRules
import WebProtocols

/// The hub's messages besides recorded events, each as a frame ready to be sent.
public enum HubMessage: Sendable {
    /// Who the receiver of a `welcome` or `resume` is in the room.
    struct You: Equatable {
        let player: PlayerID?
        let name: String?
        let seat: Seat?
        let isHost: Bool

        var fields: Fields {
            var fields: Fields = ["isHost": .bool(isHost)]
            if let player { fields["player"] = .string(player) }
            if let name { fields["name"] = .string(name) }
            if let seat { fields["seat"] = .integer(seat.rawValue) }
            return fields
        }
    }

    /// The whole visible state, or from where events follow. `spread` is the time over which clients should spread a
    /// reconnect; nil if they are few.
    static func greeting(
        _ room: RoomStream, kind: Greeting, you: You, _ part: GreetingPart, spread: Milliseconds?
    ) -> Frame {
        var writer = JSONWriter(objectOf: (kind == .resume ? HubMessageKind.resume : .welcome).rawValue)
        writer.writeElements([
            "version": .integer(room.version),
            "head": .string(room.head.hex), "now": .integer(room.now), "you": .object(you.fields),
        ])
        if kind != .resume { writer.append(room.writtenViews) }
        writer.append(part.bytes)
        if let player = you.player, let name = you.name, !part.players.contains(player) {
            writer.closeObject(with: [player: .string(name)])
        } else {
            writer.closeObject(with: [:])
        }
        var last: Fields = kind == .diverged ? ["diverged": true] : [:]
        if let spread { last["spread"] = .integer(spread) }
        writer.closeObject(with: last)
        return .text(writer.bytes)
    }

    /// The common part of greetings, to follow other fields. `names` comes last, and is not closed.
    static func greetingPart(names: [PlayerID: String], presence: Presence.Shown, chat: Chat) -> [UInt8] {
        var writer = JSONWriter()
        writer.writeElements([
            "presence": .object(presence.fields), "chat": .list(chat.lines.map { .object($0.fields) }),
        ])
        writer.openObject("names")
        writer.writeElements(self.names(names))
        return writer.bytes
    }

    enum Greeting { case welcome, resume, diverged }

    /// What the player of `seat` alone may see of the game.
    static func hand(_ hand: Fields, of seat: Seat, version: Int) -> Frame {
        frame(.hand, ["v": .integer(version), "seat": .integer(seat.rawValue), "hand": .object(hand)])
    }

    static func ok(_ id: String, version: Int) -> Frame {
        frame(.ok, ["id": .string(id), "v": .integer(version)])
    }

    public static func error(_ id: String?, _ rejection: Rejection) -> Frame {
        var fields = Fields()
        if let id { fields["id"] = .string(id) }
        fields["code"] = .string(rejection.code)
        fields["message"] = .string(rejection.sentence)
        return frame(.error, fields.merging(rejection.values))
    }

    /// Players who came and who went, and names. `nameless` are players who had a name until now.
    static func presence(
        came: [PlayerID], went: [PlayerID], spectators: Int, names: [PlayerID: String], nameless: Set<PlayerID>
    ) -> Frame {
        let shown = self.names(names).merging(Fields(nameless.sorted().map { ($0, .null) }))
        return frame(
            .presence,
            [
                "came": .strings(came), "went": .strings(went), "spectators": .integer(spectators),
                "names": .object(shown),
            ])
    }

    static func chat(_ line: Chat.Line) -> Frame { frame(.chat, line.fields) }

    static func reaction(_ emoji: String, from player: PlayerID) -> Frame {
        frame(.reaction, ["from": .string(player), "emoji": .string(emoji)])
    }

    public static func pong(_ number: Int, now: Milliseconds) -> Frame {
        frame(.pong, ["n": .integer(number), "now": .integer(now)])
    }

    public static func notice(_ code: String, _ sentence: String) -> Frame {
        frame(.notice, ["code": .string(code), "message": .string(sentence)])
    }

    /// All open rooms, each as `RoomRow.listed` writes it.
    public static func rooms(_ rooms: [[UInt8]]) -> Frame {
        .text(
            Array(#"{"type":"\#(HubMessageKind.rooms.rawValue)","rooms":["#.utf8)
                + rooms.joined(separator: Array(",".utf8)) + Array("]}".utf8))
    }

    /// One open room that is new or has changed.
    public static func room(_ room: [UInt8]) -> Frame {
        .text(Array(#"{"type":"\#(HubMessageKind.room.rawValue)","room":"#.utf8) + room + Array("}".utf8))
    }

    /// A room that is no longer in the list.
    public static func roomGone(_ code: String) -> Frame { frame(.roomGone, ["code": .string(code)]) }

    /// `fields` has everything but the type.
    private static func frame(_ kind: HubMessageKind, _ fields: Fields) -> Frame {
        var writer = JSONWriter(objectOf: kind.rawValue)
        writer.closeObject(with: fields)
        return .text(writer.bytes)
    }

    /// As in `GET /api/rooms/{code}`.
    public static func description(
        _ summary: Fields, _ count: PresenceCount, hostName: String?, names: [PlayerID: String]
    ) -> Fields {
        var fields = summary.merging(count.fields)
        fields["hostName"] = hostName.map { .string($0) }
        fields["names"] = .object(self.names(names))
        return fields
    }

    public static func names(_ names: [PlayerID: String]) -> Fields {
        Fields(names.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }
}
