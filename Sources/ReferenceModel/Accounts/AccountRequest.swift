import JSON

/// A request about a player's account.
struct AccountRequest {
    enum Kind { case register, addDevice, rename, forget, revoke, account, forgetByName, linkCode, recoveryCode }

    let kind: Kind
    let bearer: String?
    /// The token that will be a player's.
    let newToken: String?
    /// The code that adds a device.
    let code: String?
    /// The name that the player asks for.
    let newName: String?
    /// The name of a device, or of the player whom the operator has forgotten.
    let name: String

    /// Nil if it is another kind of request.
    init?(method: String, target: String, token: String?, body: [UInt8]) {
        let path = target.prefix { $0 != "?" }
        bearer = token
        let message = method == "POST" || method == "PUT" ? Value.read(body) : nil
        newName = message?["name"]?.string
        switch (method, path) {
        case ("POST", "/api/players"), ("POST", "/api/players/devices"):
            kind = path.hasSuffix("devices") ? .addDevice : .register
            (newToken, code) = (message?["token"]?.string, kind == .addDevice ? message?["code"]?.string : nil)
            name = ""
            return
        case ("PUT", "/api/players/me/name"): (kind, name) = (.rename, "")
        case ("POST", "/api/players/me/link-code"): (kind, name) = (.linkCode, "")
        case ("POST", "/api/players/me/recovery-code"): (kind, name) = (.recoveryCode, "")
        case ("DELETE", "/api/players/me"): (kind, name) = (.forget, "")
        case ("GET", "/api/players/me"): (kind, name) = (.account, "")
        case ("DELETE", _) where path.hasPrefix("/api/players/me/devices/"):
            (kind, name) = (.revoke, String(path.dropFirst(24)))
        case ("DELETE", _) where path.hasPrefix("/api/players/"):
            (kind, name) = (.forgetByName, Self.decoded(path.dropFirst(13)))
        default: return nil
        }
        (newToken, code) = (nil, nil)
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
