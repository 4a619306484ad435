import WebProtocols

/// A person's device with its own token, the room that it has open, and its unanswered commands.
final class Device {
    let token: String
    /// Whether the hub has confirmed that this token is its player's.
    var isKnown = false
    /// Whether the hub has said that it is no longer a player's.
    var isLost = false
    var link: Link?
    /// The connection to the lobby, if open.
    var lobby: Link?
    /// The room that is open, or will be again once the connection is back; nil for none, or the lobby.
    var room: String?
    /// The newest event that it has of that room, from which it resumes.
    var version = 0
    var isGreeted = false
    /// The head after that event, which the log may have lost since.
    var head: String?
    /// Unanswered commands, which are sent again on the next connection.
    var pending: [(id: String, text: String)] = []
    /// An answered command that may be sent again all the same.
    var answered: (id: String, text: String)?
    /// World time until which it reads nothing.
    var stuckUntil = 0
    /// Whether an HTTP request of it is under way.
    var isWaiting = false
    /// World time before which it does not connect again.
    var pausesUntil = 0

    init(token: String) { self.token = token }

    /// The connection is gone. Unanswered commands stay.
    func hangUp() {
        link = nil
        isGreeted = false
    }

    func forgetRoom() {
        hangUp()
        (room, version, head, pending, answered) = (nil, 0, nil, [], nil)
    }

    func frameArrived(_ frame: Frame) {
        let bytes = frame.bytes
        let start = frame.payloadStart
        if frame.isEvent {
            version = number(in: bytes, at: start + 5)
        } else if let id = answeredID(in: bytes, from: start) {
            guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
            answered = pending.remove(at: index)
        } else if bytes[start...].starts(with: Self.unknownToken) {
            isLost = true
        } else if let place = greetedVersion(in: bytes, from: start) {
            isGreeted = true
            // A resume brings the events themselves.
            if bytes[start + 9] == UInt8(ascii: "w") { version = number(in: bytes, at: place) }
        }
    }

    /// `{"type":"ok","id":"…"` or `{"type":"error","id":"…"`.
    private func answeredID(in bytes: [UInt8], from start: Int) -> String? {
        for type in [Self.ok, Self.error] where bytes[start...].starts(with: type) {
            let id = bytes[(start + type.count)...].prefix { $0 != UInt8(ascii: "\"") }
            return String(decoding: id, as: UTF8.self)
        }
        return nil
    }

    /// `{"type":"welcome","version":…` or `{"type":"resume","version":…`.
    private func greetedVersion(in bytes: [UInt8], from start: Int) -> Int? {
        for type in [Self.welcome, Self.resume] where bytes[start...].starts(with: type) { return start + type.count }
        return nil
    }

    private func number(in bytes: [UInt8], at place: Int) -> Int {
        var (number, place) = (0, place)
        while place < bytes.count, case let digit = Int(bytes[place]) - 48, (0...9).contains(digit) {
            number = number * 10 + digit
            place += 1
        }
        return number
    }

    private static let unknownToken = Array(#"{"type":"error","code":"unknown-token""#.utf8)
    private static let ok = Array(#"{"type":"ok","id":""#.utf8)
    private static let error = Array(#"{"type":"error","id":""#.utf8)
    private static let welcome = Array(#"{"type":"welcome","version":"#.utf8)
    private static let resume = Array(#"{"type":"resume","version":"#.utf8)
}
