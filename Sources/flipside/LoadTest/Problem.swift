import Foundation
import Transport
import WebProtocols

/// What a hub refused, by its code, or what else went wrong, in words.
struct Problem: Equatable {
    let name: String

    init(name: String) { self.name = name }

    /// An answer that is no success.
    init(_ response: HTTPResponse) {
        // Who answers without a problem document is no hub, or stands ahead of it: a proxy.
        let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        self.init(name: object?["code"] as? String ?? "status \(response.status)")
    }

    /// The end of a connection that nobody had asked for.
    init(_ end: ClientEnd) {
        switch end {
        case .failed(.noWebSocket(.refused(let response))): self.init(response)
        case .failed(let error): self.init(name: error.sentence)
        case .closed(let close, let reason):
            self.init(name: "closed \(close?.rawValue ?? 1005)" + (reason.isEmpty ? "" : ": " + reason))
        case .aborted: self.init(name: "aborted")
        }
    }

    /// What the operator has to set so that this does not happen; nil where no option helps.
    var advice: String? {
        switch name {
        case "too-many-connections-from-address":
            "the hub takes so many connections of one address: raise `--connections-per-address` there"
        case "too-many-connections": "the hub takes no more connections: raise `--connections` and `ulimit -n` there"
        case "too-many-players":
            "the hub takes so many new players of one address in a minute: raise `--registrations-per-minute` there"
        case "too-many-rooms": "a player may open so many rooms a day: raise `--rooms-per-day` there"
        case "too-many-failures":
            "the hub takes so many wrong codes of one address: raise `--failures-per-minute` there"
        case "room-full": "a room takes so many connections: raise `--members-per-room` there"
        case "too-fast":
            "a connection may say, and a player have recorded, so much a second: raise `--messages-per-second`, or "
                + "`--commands-per-second`, there"
        case "busy": "the hub has too many rooms awake, or a room too many commands waiting: see `--awake-rooms` there"
        case "unknown-host": "the hub answers to other names: name it by one of its `--host-name`"
        default: nil
        }
    }
}
