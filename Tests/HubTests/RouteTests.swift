import Testing

@testable import Hub

@Suite("Routes") struct RouteTests {
    @Test(
        "a path belongs to a route, or to none",
        arguments: [
            ("/", "/", ""), ("/", "//", nil),
            ("/api/rooms", "/api/rooms", ""), ("/api/rooms", "/api/rooms/", nil), ("/api/rooms", "/api", nil),
            ("/a/{code}", "/a/x", "x"), ("/a/{code}", "/a/", ""), ("/a/{code}", "/a", nil), ("/a/{code}", "/a/x/", nil),
            ("/a/{code}/log", "/a/x/log", "x"), ("/a/{code}/log", "/a/x", nil), ("/a/{code}/log", "/a/x/y", nil),
            ("/a/{code+}", "/a/x", "x"), ("/a/{code+}", "/a/x//", "x"), ("/a/{code+}", "/a/", nil),
            ("/a/{code+}", "/a//x", nil), ("/a/{code+}", "/a/x/y", nil),
            ("/a/{name...}", "/a/x", "x"), ("/a/{name...}", "/a/x//y/", "x//y/"), ("/a/{name...}", "/a/", ""),
            ("/a/{name...}", "/a", nil), ("/a/{name...}", "/b/x", nil), ("/a/{name...}", "*", nil),
        ])
    func matches(row: (route: String, path: String, parameter: String?)) {
        let route = Route(.get, row.route, API.showHealth)
        #expect(route.parameter(in: Route.parts(of: row.path)) == row.parameter)
    }

    @Test(
        "a wrong method is answered with the allowed ones",
        arguments: [
            ("PUT", "/api/rooms", "GET, HEAD, POST"), ("POST", "/api/rooms/x", "GET, HEAD"),
            ("POST", "/api/rooms/x/log", "GET, HEAD"), ("POST", "/api/leaderboard", "GET, HEAD"),
            ("GET", "/api/players", "POST"), ("POST", "/api/players/me", "GET, HEAD, DELETE"),
            ("GET", "/api/players/me/name", "PUT"), ("HEAD", "/api/players/me/link-code", "POST"),
            ("GET", "/api/players/me/recovery-code", "POST"), ("GET", "/api/players/devices", "POST"),
            ("GET", "/api/players/me/devices/x", "DELETE"),
            ("POST", "/healthz", "GET, HEAD"), ("PUT", "/metrics", "GET, HEAD"),
            ("POST", "/ws/lobby", "GET"), ("HEAD", "/ws/rooms/x", "GET"),
        ])
    func refuses(row: (method: String, path: String, allowed: String)) {
        let answer = ScriptedHub().request(row.method, row.path)
        #expect(answer.status == 405 && answer.headers["Allow"] == row.allowed)
    }

    @Test("unknown methods are refused everywhere, RFC 9110 section 9.1", arguments: ["BREW", "get", "PROPFIND"])
    func unknownMethod(name: String) {
        for path in ["/readyz", "/api/rooms", "/nowhere", "/ws/lobby"] {
            let answer = ScriptedHub().request(name, path)
            #expect(answer.status == 501 && answer.headers["Allow"] == nil, "\(path)")
        }
    }

    @Test("unknown paths do not list methods", arguments: ["/api", "/api/", "/api/rooms/x/y", "/api/room"])
    func nothing(path: String) {
        for method in ["GET", "HEAD", "POST", "DELETE"] { #expect(ScriptedHub().request(method, path).status == 404) }
    }
}
