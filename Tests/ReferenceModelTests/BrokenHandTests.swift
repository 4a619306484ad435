import Cryptography
import Games
import JSON
import ReferenceModel
import Testing

/// What Ann, Ben and someone who watches are sent of a game of Go Fish.
@Suite("What the model finds of hands") struct BrokenHandTests {
    private let scene = Scene(game: "go-fish")
    private let game: GoFish

    init() throws {
        let first = try #require(Digest(bytes: [UInt8](repeating: 1, count: 32)))
        var draw = RandomWords(seed: first)
        let setup = try GoFish.setupFields([:], players: 2, draw: &draw)
        var game = try #require(
            GoFish.started(
                options: setup.options, fields: setup.fields, players: [Seat(0), Seat(1)], first: Seat(0),
                seed: gameSeed(serverSeed: first, nonces: [:]), at: scene.time))
        scene.join()
        for (connection, player, seat) in [(Scene.ann, "ann", 0), (Scene.ben, "ben", 1)] {
            scene.done(
                connection, player, #""type":"sit""#, [#""type":"seat-taken","seat":\#(seat),"player":"\#(player)""#])
        }
        let seats = Value.list([.object(["seat": 0, "player": "ann"]), .object(["seat": 1, "player": "ben"])])
        let started: Fields = ["number": 1, "options": .object(setup.options), "seats": seats, "first": 0]
        let opening = game.openingSteps(at: scene.time)
        scene.done(
            Scene.ann, "ann", #""type":"start""#,
            ([GameStep(type: "game-started", fields: started)] + opening).map { step in
                #""type":"\#(step.type)""# + String(decoding: JSONWriter.followers(step.fields), as: UTF8.self)
            })
        for step in opening { _ = game.apply(step, at: scene.time) }
        self.game = game
    }

    private func tell(_ connection: Int, seat: Int, cards of: Int? = nil, version: Int? = nil) {
        let hand = game.hand(of: Seat(of ?? seat)) ?? [:]
        let text = String(decoding: JSONWriter.bytes(hand), as: UTF8.self)
        scene.tell(connection, #"{"type":"hand","v":\#(version ?? scene.version),"seat":\#(seat),"hand":\#(text)}"#)
    }

    @Test("players who get their hands")
    func hands() {
        tell(Scene.ann, seat: 0)
        tell(Scene.ben, seat: 1)
        #expect(scene.model.broken == nil)
    }

    @Test(
        "a hand for someone else is found",
        arguments: [(Scene.watcher, 0), (Scene.ben, 0), (Scene.ann, 1), (Scene.ann, 2)])
    func others(connection: Int, seat: Int) {
        tell(connection, seat: seat)
        #expect(scene.model.broken?.rule == "a hand goes to its own player only")
    }

    @Test("another player's cards are found")
    func otherCards() {
        tell(Scene.ann, seat: 0, cards: 1)
        #expect(scene.model.broken?.rule == "a hand is that of the version that it names")
    }

    @Test("a hand of another version is found", arguments: [-1, 1])
    func otherVersion(by change: Int) {
        tell(Scene.ann, seat: 0, version: scene.version + change)
        #expect(scene.model.broken?.rule == "a hand follows the event that led to it")
    }

    @Test("a hand that is never sent is found")
    func missing() {
        tell(Scene.ann, seat: 0)
        scene.model.cameToRest(at: scene.time)
        #expect(scene.model.broken?.rule == "a player has the hand of the newest version")
    }
}
