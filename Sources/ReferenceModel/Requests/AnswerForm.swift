import JSON

/// The possible answers to an HTTP request, by the tables of `ProtocolErrors.md`: which statuses and which problems.
struct AnswerForm: Question {
    private struct Route {
        let method: String
        let path: String
        let success: Set<Int>
        var problems: Set<String> = []
        /// Whether it needs a player's token.
        var isPlayers = false
    }

    private static let accounts: Set = ["unknown-token", "too-many-failures"]
    private static let names: Set = [
        "name-blank", "name-too-long", "name-invisible", "name-character", "name-marks", "name-digits", "name-scripts",
        "name-reserved", "name-taken", "too-many-players",
    ]
    private static let codes: Set = ["no-such-room", "too-many-failures", "room-broken"]
    private static let body: Set = ["bad-json", "bad-field"]
    private static let options: Set = [
        "unknown-game", "out-of-range", "unknown-option", "unknown-value", "options-conflict", "older-node",
    ]
    /// Problems of the hub itself, for any request.
    private static let troubles: Set = ["log-unavailable", "draining", "busy"]

    /// A `*` stands for any segment.
    private static let routes = [
        Route(
            method: "POST", path: "/api/players", success: [200, 201],
            problems: names.union(body).union(["token-has-name"])),
        Route(method: "GET", path: "/api/players/me", success: [200], isPlayers: true),
        Route(method: "GET", path: "/api/players/me/games", success: [200], isPlayers: true),
        Route(
            method: "PUT", path: "/api/players/me/name", success: [200],
            problems: names.union(body).union(["too-many-changes"]), isPlayers: true),
        // With the operator's token, the player of the given name.
        Route(method: "DELETE", path: "/api/players/me", success: [204], problems: accounts.union(["no-such-player"])),
        Route(
            method: "DELETE", path: "/api/players/me/devices/*", success: [204],
            problems: ["no-such-device", "last-device"], isPlayers: true),
        Route(
            method: "POST", path: "/api/players/me/link-code", success: [201], problems: ["too-many-changes"],
            isPlayers: true),
        Route(
            method: "POST", path: "/api/players/me/recovery-code", success: [201], problems: ["too-many-changes"],
            isPlayers: true),
        Route(
            method: "POST", path: "/api/players/devices", success: [200, 201],
            problems: body.union([
                "unknown-code", "too-many-failures", "token-has-name", "too-many-devices", "too-many-players",
                "too-many-changes",
            ])),
        Route(method: "GET", path: "/api/rooms", success: [200]),
        Route(
            method: "POST", path: "/api/rooms", success: [201], problems: body.union(options).union(["too-many-rooms"]),
            isPlayers: true),
        Route(method: "GET", path: "/api/rooms/*", success: [200], problems: codes),
        Route(method: "GET", path: "/api/rooms/*/log", success: [200], problems: codes.union(["bad-field"])),
        Route(
            method: "GET", path: "/api/leaderboard", success: [200],
            problems: accounts.union(["bad-field", "unknown-game"])),
    ]

    private static let statuses: [String: Set<Int>] = [
        "bad-json": [400], "unknown-token": [401],
        "no-such-room": [404], "no-such-device": [404], "no-such-player": [404], "unknown-code": [404],
        "token-has-name": [409], "name-taken": [409], "too-many-devices": [409], "last-device": [409],
        "too-many-failures": [429], "too-many-players": [429], "too-many-changes": [429], "too-many-rooms": [429],
        "log-unavailable": [503], "draining": [503], "busy": [503], "room-broken": [503],
    ]

    /// How long the hub may still report what has hindered it, in ms.
    static let lag = 10_000

    private let route: Route
    private let target: String
    private let askedAt: Int
    private let token: String?
    /// The owner of the token; nil if no one. Unknown unless `isClear`.
    private let owner: (player: String?, isClear: Bool)

    /// Nil if the model does not know the route.
    init?(method: String, target: String, token: String?, context: ModelContext) {
        let path = target.prefix { $0 != "?" }
        guard let route = Self.routes.first(where: { $0.method == method && Self.fits(path, $0.path) }) else {
            return nil
        }
        (self.route, self.target, self.token, askedAt) = (route, target, token, context.now)
        owner = (context.accounts.player(of: token), context.accounts.isClear(token))
    }

    private static func fits(_ path: Substring, _ pattern: String) -> Bool {
        if !pattern.utf8.contains(UInt8(ascii: "*")) { return path == pattern }
        let (segments, wanted) = (path.split(separator: "/"), pattern.split(separator: "/"))
        return segments.count == wanted.count && zip(segments, wanted).allSatisfy { $1 == "*" || $0 == $1 }
    }

    func check(_ status: Int, _ answer: Value?, in check: ListCheck) {
        let context = check.context
        let (findings, place) = (context.findings, "\(route.method) \(target): \(status), \(answer ?? .null)")
        checkToken(status, context, place)
        if status < 300 {
            return findings.expect(
                route.success.contains(status), "a request is answered with a status of the protocol", place)
        }
        guard let code = answer?["code"]?.string, answer?["status"]?.integer == status,
            answer?["title"]?.string?.isEmpty == false, answer?["type"]?.string != nil,
            answer?["detail"]?.string?.isEmpty == false
        else { return findings.recordBreach("an error over HTTP is a problem", place) }
        let isKnown =
            route.problems.contains(code) || route.isPlayers && Self.accounts.contains(code)
            || Self.troubles.contains(code)
        findings.expect(
            isKnown && statuses(of: code).contains(status),
            "a request is answered with a status of the protocol", place)
        findings.expect(
            status != 503 || code == "room-broken" || context.hinderedAt >= askedAt - Self.lag,
            "a hub that nothing hinders answers requests", place)
    }

    private func statuses(of code: String) -> Set<Int> {
        // About a query, or about a body.
        if code == "bad-field" || code == "unknown-game" { return route.method == "GET" ? [400] : [422] }
        return Self.statuses[code] ?? [422]
    }

    /// Checks that a token counts exactly as long as it is a player's.
    private func checkToken(_ status: Int, _ context: ModelContext, _ place: String) {
        guard route.isPlayers, owner.isClear, context.accounts.isClear(token),
            context.accounts.player(of: token) == owner.player
        else { return }
        if owner.player == nil {
            context.findings.expect(
                status == 401 || status == 429 || status == 503, "a token without a player does nothing", place)
        } else {
            context.findings.expect(status != 401, "a token is a player's until it is given up", place)
        }
    }
}
