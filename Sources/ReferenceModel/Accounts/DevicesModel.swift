import JSON

/// Lists of devices, as players have asked for them.
final class DevicesModel {
    private let findings: Findings
    /// Devices that were signed out, by player.
    private var revoked: [String: Set<String>] = [:]

    /// Most devices of a player.
    private static let limit = 20

    init(findings: Findings) { self.findings = findings }

    /// A player's device has been signed out, by an answer that has left the hub.
    func revoke(_ device: String, of player: String) { revoked[player, default: []].insert(device) }

    /// The recent changes of a player's devices may not have happened.
    func forget(_ player: String) { revoked[player] = nil }

    /// Checks the answer to `GET /api/players/me`. `expected` is the number of devices, `hasCode` whether there is a
    /// recovery code; nil if unclear.
    func check(_ answer: Value, of player: String, expected: Int?, hasCode: Bool?) {
        let place = "the devices of \(player)"
        guard let devices = answer["devices"]?.list, answer["id"]?.string == player else {
            return findings.recordBreach("an account is its player's", "\(place): \(answer)")
        }
        findings.expect(devices.count <= Self.limit, "a player has 20 devices at most", "\(place): \(devices.count)")
        findings.expect(
            devices.count { $0["current"]?.bool == true } == 1, "one device is the asking one",
            "\(place): \(devices)")
        let times = devices.map { $0["since"]?.integer ?? 0 }
        findings.expect(
            zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "devices are in the order in which they came",
            "\(place): \(times)")
        let ids = devices.compactMap { $0["id"]?.string }
        findings.expect(Set(ids).count == devices.count, "each device has its own id", "\(place): \(ids)")
        findings.expect(
            revoked[player]?.isDisjoint(with: ids) ?? true, "a signed-out device is no longer a player's",
            "\(place): \(ids)")
        if let expected {
            findings.expect(
                devices.count == expected, "an account has the devices that were added",
                "\(place): \(devices.count) instead of \(expected)")
        }
        if let hasCode {
            findings.expect(
                answer["recoveryCode"]?.bool == hasCode, "an account says whether there is a recovery code",
                "\(place): it should be \(hasCode)")
        }
    }
}
