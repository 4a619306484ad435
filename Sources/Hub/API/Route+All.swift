import WebProtocols

// Every route, in the order of the table in `ProtocolHTTP.md`. `Allow` lists methods in this order.
extension Route {
    static let all: [Route] = [
        Route(.get, "/", API.showHome),
        Route(.get, "/room/{code+}", API.showRoom),
        Route(.get, "/replay/{code+}", API.showReplay),
        Route(.post, "/api/players", API.register),
        Route(.get, "/api/players/me", API.describeCaller),
        Route(.get, "/api/players/me/games", API.listCallersGames),
        Route(.put, "/api/players/me/name", API.renameCaller),
        Route(.delete, "/api/players/me", API.forgetCaller),
        Route(.delete, "/api/players/me/devices/{id}", API.revokeDevice),
        Route(.post, "/api/players/me/link-code", API.makeLinkCode),
        Route(.post, "/api/players/me/recovery-code", API.makeRecoveryCode),
        Route(.post, "/api/players/devices", API.addDevice),
        Route(.delete, "/api/players/{name...}", at: [.operators], API.forgetPlayer),
        Route(.get, "/api/rooms", API.listRooms),
        Route(.post, "/api/rooms", API.openRoom),
        Route(.get, "/api/rooms/{code}", API.describeRoom),
        Route(.get, "/api/rooms/{code}/log", API.downloadLog),
        Route(.get, "/api/leaderboard", API.listResults),
        Route(.upgrade, "/ws/rooms/{code}", API.enterRoom),
        Route(.upgrade, "/ws/lobby", API.enterLobby),
        Route(.get, "/healthz", at: [.clients, .operators], API.showHealth),
        Route(.get, "/readyz", at: [.clients, .operators], API.showReadiness),
        Route(.get, "/metrics", at: [.clients, .operators], API.showMetrics),
    ]

    /// Checks of the hub's health, which are answered even if all connections are taken.
    private static let healthProbes: Set = ["/healthz", "/readyz", "/metrics"]

    static func isHealthProbe(_ head: RequestHead) -> Bool {
        ["GET", "HEAD"].contains(head.method) && healthProbes.contains(head.path)
    }
}
