import Cryptography
import Games
import JSON
import ReferenceModel
import Testing

/// What no one may see of a game of Memory that Ann plays alone.
@Suite("What the model finds of cards that lie face down") struct BrokenSecrecyTests {
    private let scene = Scene(game: "memory")
    private var game: Memory
    private let started: Fields

    init() throws {
        let nobody = try #require(Digest(bytes: [UInt8](repeating: 1, count: 32)))
        var draw = RandomWords(seed: nobody)
        let setup = try Memory.setupFields(["turnTime": 0], players: 1, draw: &draw)
        let begun = Memory.started(
            options: setup.options, fields: setup.fields, players: [Seat(0)], first: Seat(0),
            seed: gameSeed(serverSeed: nobody, nonces: [:]), at: scene.time)
        game = try #require(begun)
        started = (["number": 1, "options": .object(setup.options)] as Fields).merging(setup.fields).merging([
            "seats": .list([.object(["seat": 0, "player": "ann"])]), "first": 0,
        ])
        scene.join()
        scene.done(Scene.ann, "ann", #""type":"sit""#, [#""type":"seat-taken","seat":0,"player":"ann""#])
        let opening = [GameStep(type: "game-started", fields: started)] + game.openingSteps(at: scene.time)
        scene.done(Scene.ann, "ann", #""type":"start""#, opening.map(Self.text))
        for step in game.openingSteps(at: scene.time) { _ = game.apply(step, at: scene.time) }
    }

    /// An event without `v` and `t`, and without braces.
    private static func text(_ step: GameStep) -> String {
        #""type":"\#(step.type)""# + String(decoding: JSONWriter.followers(step.fields), as: UTF8.self)
    }

    private func flip(_ cell: Int) throws -> GameStep {
        try #require(try game.decide("flip", ["cell": .integer(cell)], by: Seat(0), at: scene.time)?.first)
    }

    /// The view as the room shows it.
    private var roomView: Fields { game.view.merging(["awaited": .list([0])]) }

    private func record(_ step: GameStep) {
        let id = scene.ask(Scene.ann, #""type":"flip","cell":3"#)
        scene.record("ann/\(id)", [Self.text(step)])
    }

    @Test("a card that is turned up shows its own face")
    func face() throws {
        record(try flip(3))
        #expect(scene.model.broken == nil)
    }

    @Test("another face is found")
    func otherFace() throws {
        let (step, faces) = (try flip(3), started["theme"]?.object?["faces"]?.strings ?? [])
        var fields = step.fields
        fields["face"] = faces.first { $0 != step.fields["face"]?.string }.map { .string($0) }
        record(GameStep(type: step.type, fields: fields))
        #expect(scene.model.broken?.rule == "a command has the result in the protocol")
    }

    @Test("a view that shows a card which lies face down is found")
    func view() throws {
        var cells = game.view["cells"]?.list ?? []
        cells[3] = .object(["state": "down", "face": try #require(try flip(3).fields["face"])])
        var view = roomView
        view["cells"] = .list(cells)
        scene.model.connectionOpened(9, room: scene.code)
        scene.say(9, #"{"type":"hello"}"#)
        let text = String(decoding: JSONWriter.bytes(view), as: UTF8.self)
        scene.tell(9, scene.welcome(as: nil, playing: started, view: text))
        #expect(scene.model.broken?.rule == "a card that lies face down shows nothing")
    }

    @Test("a view that shows no such card is true")
    func publicView() {
        scene.model.connectionOpened(9, room: scene.code)
        scene.say(9, #"{"type":"hello"}"#)
        let text = String(decoding: JSONWriter.bytes(roomView), as: UTF8.self)
        scene.tell(9, scene.welcome(as: nil, playing: started, view: text))
        #expect(scene.model.broken == nil)
    }
}

extension Scene {
    /// A `welcome` to the first game, which Ann plays alone.
    fileprivate func welcome(as player: String?, playing started: Fields, view: String) -> String {
        let players = Value.list([.object(["seat": 0, "player": "ann"])])
        let seats = Value.list(
            [.object(["seat": 0, "player": "ann"])] + (1..<8).map { .object(["seat": .integer($0)]) })
        return #"{"type":"welcome","version":\#(version),"head":"\#(headText)","now":\#(time),"#
            + #""you":{"isHost":false},"room":{"code":"k3m7pq","game":"memory","options":{},"#
            + #""visibility":"public","host":"ann","status":"running","seats":\#(seats),"gameNumber":1,"#
            + #""commitment":"\#(SHA256.digest(of: [UInt8](repeating: 1, count: 32)).hex)","players":\#(players),"#
            + #""first":0},"view":\#(view),"names":{"ann":"Ann"},"presence":{"players":[],"spectators":0},"chat":[]}"#
    }
}
