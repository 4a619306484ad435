import Foundation
import Transport
import WebProtocols

/// A hub's refusal by its code, or another problem in words.
struct Problem: Equatable {
    let name: String

    init(name: String) { self.name = name }

    /// From an answer that is not a success.
    init(_ response: HTTPResponse) {
        // An answer without a problem document is not from a hub, or from a proxy before it.
        let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        self.init(name: object?["code"] as? String ?? "status \(response.status)")
    }

    /// From the unexpected end of a connection.
    init(_ end: ClientEnd) {
        switch end {
        case .failed(.noWebSocket(.refused(let response))): self.init(response)
        case .failed(let error): self.init(name: error.sentence)
        case .closed(let close, let reason):
            self.init(name: "closed \(close?.rawValue ?? 1005)" + (reason.isEmpty ? "" : ": " + reason))
        case .aborted: self.init(name: "aborted")
        }
    }

    /// What the operator can set to avoid it; nil if no option helps.
    var advice: String? {
        switch name {
        case "too-many-connections-from-address":
            "the hub limits the connections of one address: raise `--connections-per-address` there"
        case "too-many-connections": "the hub is full: raise `--connections` and `ulimit -n` there"
        case "too-many-players":
            "the hub limits new players of one address per minute: raise `--registrations-per-minute` there"
        case "too-many-rooms": "the hub limits the rooms that a player opens a day: raise `--rooms-per-day` there"
        case "too-many-failures": "the hub limits wrong codes of one address: raise `--failures-per-minute` there"
        case "room-full": "the hub limits the connections of a room: raise `--members-per-room` there"
        case "too-fast":
            "the hub limits a connection's messages and a player's commands: raise `--messages-per-second`, or "
                + "`--commands-per-second`, there"
        case "busy": "the hub has too many rooms awake, or a room too many commands waiting: see `--awake-rooms` there"
        case "unknown-host": "the hub answers to other names: name it by one of its `--host-name`"
        default: nil
        }
    }
}
