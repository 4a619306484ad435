import Foundation
import Testing

/// The built program, from outside: other people's clients, a real browser, kill -9.
@Suite("The whole hub, from outside", .serialized) struct WholeHubTests {
    @Test("Python's websockets plays a game and proves the deck", arguments: [false, true])
    func python(isTLS: Bool) throws {
        let hub = try RunningHub(isTLS: isTLS)
        try hub.run(.python, "Clients/play.py", [hub.address] + (hub.certificate.map { [$0] } ?? []))
    }

    @Test("Node's ws plays a game, proves the chain, and the page's fold equals every welcome")
    func node() throws {
        let hub = try RunningHub()
        try hub.run(.node, "Clients/play.cjs", [hub.address, Script.root + "/web"])
    }

    @Test("the page's fold equals the hub's word after every event: draws, computers, hosts, both games")
    func fold() throws {
        let hub = try RunningHub(options: ["--think-time", "0"])
        try hub.run(.node, "Clients/fold.cjs", [hub.address, Script.root + "/web"])
    }

    @Test("the page's line and folds hold their own tests under Node")
    func webModules() throws {
        // Node takes files for ES modules where a package says so; the page itself needs none.
        let folder = try TemporaryFolder()
        let tests = folder.path + "/Tests/FlipsideTests"
        try FileManager.default.createDirectory(atPath: tests, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Script.root + "/web", toPath: folder.path + "/web")
        try FileManager.default.copyItem(atPath: Script.root + "/Tests/FlipsideTests/Web", toPath: tests + "/Web")
        try #"{"type":"module"}"#.write(toFile: folder.path + "/package.json", atomically: true, encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: tests + "/Web")
            .filter { $0.hasSuffix(".test.js") }.map { tests + "/Web/" + $0 }
        let result = try Script.launch("/usr/bin/env", ["node", "--test"] + files)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("# fail 0") || result.output.contains("fail 0"), "\(result.output)")
    }

    @Test("the page's types hold")
    func webTypes() throws {
        let result = try Script.launch(
            "/usr/bin/env", ["tsc", "--pretty", "false", "--project", Script.root + "/Tests/FlipsideTests/Web"])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test("of eight players who flip at once, each turn has one winner, and all see the same")
    func race() throws {
        let hub = try RunningHub()
        try hub.run(.python, "Clients/race.py", [hub.address, "20", "50"])
    }

    @Test("bad input gets the right status, close code or error, and another room does not notice")
    func badInput() throws {
        let hub = try RunningHub()
        let opened = try hub.run(.python, "Clients/open_room.py", [hub.address])
        let code = try #require(opened.split(separator: "\n").last.map(String.init))
        try hub.run(.python, "Clients/bad_input.py", ["127.0.0.1", String(hub.port), code])
        try hub.run(.python, "Clients/play.py", [hub.address])
    }

    @Test("50 times kill -9 under load: nothing that anyone saw is lost, and no turn loses time")
    func crash() throws {
        try Script.run(.python, "Clients/crash.py", [Script.binary, "50"])
    }

    @Test("two players and a spectator play in a browser through a kill -9", arguments: [false, true])
    func browser(isTLS: Bool) throws {
        let folder = try TemporaryFolder()
        let files = isTLS ? try Script.certificate(in: folder.path) : []
        try Script.run(.python, "Browser/two_players.py", [Script.binary, Script.root + "/web"] + files)
    }

    @Test("a player beats or loses to a computer at Reversi in a browser, and a phone sees the same")
    func reversi() throws { try Script.run(.python, "Browser/reversi.py", [Script.binary, Script.root + "/web"]) }

    @Test("every way of scoring is played in a browser, alone and against computers, and shows what the log says")
    func modes() throws { try Script.run(.python, "Browser/modes.py", [Script.binary, Script.root + "/web"]) }

    @Test("a finished game is replayed, checked, and followed live in a browser")
    func replay() throws { try Script.run(.python, "Browser/replay.py", [Script.binary, Script.root + "/web"]) }

    @Test("visitors find each other, a wall shows what is played, and no page has a fault that axe-core knows")
    func home() throws { try Script.run(.python, "Browser/home.py", [Script.binary, Script.root + "/web"]) }

    @Test("a room's page: chat, roles, a seat taken along, fast fingers, ends, sound and keys, and axe finds nothing")
    func room() throws { try Script.run(.python, "Browser/room.py", [Script.binary, Script.root + "/web"]) }

    @Test("what happens meanwhile takes nothing out of anyone's hands")
    func interruptions() throws {
        try Script.run(.python, "Browser/interruptions.py", [Script.binary, Script.root + "/web"])
    }

    @Test("Spanish, German and Chinese browsers see their language, and nothing is cut off on phones")
    func languages() throws { try Script.run(.python, "Browser/languages.py", [Script.binary, Script.root + "/web"]) }

    @Test("the page opens without a line, says so, and is never made of two states of the hub")
    func offline() throws { try Script.run(.python, "Browser/offline.py", [Script.binary, Script.root + "/web"]) }

    @Test(
        "over a bad line all pages agree in the end, and none misses an event or has it twice",
        arguments: ["offline", "slow", "asleep", "dropping"])
    func networks(trouble: String) throws {
        try Script.run(.python, "Browser/networks.py", [Script.binary, Script.root + "/web", trouble])
    }

    @Test("two players and a spectator play in Firefox")
    func firefox() throws {
        let arguments = [Script.binary, Script.root + "/web"]
        try Script.run(.python, "Browser/firefox.py", arguments, mayBeImpossible: true)
    }

    @Test("a player and a spectator see the same game in WebKit, the engine of Safari")
    func webkit() throws { try Script.run(.screen, "Browser/webkit.py", [Script.binary, Script.root + "/web"]) }

    @Test("the article's third game is added to a copy of the project, builds, and is played")
    func thirdGame() throws { try Script.run(.python, "Browser/third_game.py", [Script.root]) }

    @Test("replay and verify say that all holds, and which record does not after it was altered")
    func replayAndVerify() throws {
        let hub = try RunningHub()
        try hub.run(.python, "Clients/play.py", [hub.address])
        let verdict = try Script.launch(Script.binary, ["verify", "--data", hub.data])
        #expect(verdict.status == 0)
        #expect(verdict.output.contains("All holds: 1 rooms with 1 proven games"))
        hub.stop()
        try Script.run(.python, "Clients/alter.py", [hub.data + "/log.sqlite", "show-card"])
        let found = try Script.launch(Script.binary, ["verify", "--data", hub.data])
        #expect(found.status == 1)
        #expect(found.output.contains("does not hold"))
    }

    @Test(
        "a disk that takes nothing stops play and nothing else, and play goes on when it does",
        arguments: ["full", "limit"])
    func disk(fault: String) throws {
        let arguments = [Script.binary, Script.root + "/web", fault]
        try Script.run(.python, "Clients/full_disk.py", arguments, mayBeImpossible: true)
    }

    @Test("damaged files are named, and what is not damaged plays on")
    func damage() throws { try Script.run(.python, "Clients/damage.py", [Script.binary, Script.root + "/web"]) }

    @Test("memory stays within its limits under a thousand hostile clients, and a room plays on")
    func hostileMemory() throws {
        try Script.run(.python, "Clients/hostile_memory.py", [Script.binary, Script.root + "/web"])
    }

    @Test(
        "what cannot be served is said in a sentence, with status 1",
        arguments: [
            (["--listen", "nonsense"], "an address to listen on"), (["--tls-cert", "x"], "given together"),
            (["--web", "/nonexistent"], "no index.html"), (["--loops", "0"], "a number from 1"),
            (["--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"], "cannot be read"),
        ])
    func complaints(arguments: [String], sentence: String) throws {
        let folder = try TemporaryFolder()
        let basics = ["serve", "--listen", "127.0.0.1:0", "--data", folder.path, "--web", Script.root + "/web"]
        let result = try Script.launch(Script.binary, basics + arguments)
        #expect(result.status == 1)
        #expect(result.output.contains(sentence), "\(result.output)")
    }

    @Test("a second hub on the same data is refused, and so is one on the same port")
    func second() throws {
        let hub = try RunningHub()
        let other = try TemporaryFolder()
        let onData = try Script.launch(
            Script.binary, ["serve", "--listen", "127.0.0.1:0", "--data", hub.data, "--web", Script.root + "/web"])
        #expect(onData.output.contains("Another process writes"), "\(onData.output)")
        let onPort = try Script.launch(
            Script.binary,
            ["serve", "--listen", "127.0.0.1:\(hub.port)", "--data", other.path, "--web", Script.root + "/web"])
        #expect(onPort.output.contains("in use"), "\(onPort.output)")
    }
}
