import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("results, and promises about time", arguments: results + games + times)
    func findsInResults(_ row: Row) { finds(row) }

    static let results = [
        Row("the results of a game", breaks: nil) {
            $0.loseByTime()
            $0.results([$0.result("ann", score: 0), $0.result("ben", score: 1)])
        },
        Row("the best of a game", breaks: nil) {
            $0.loseByTime()
            $0.results(
                [$0.result("ben", score: 1), $0.result("ann", score: 0)], best, token: "A",
                #","own":{"rank":2,"result":\#($0.result("ann", score: 0))}"#)
        },
        Row("a result without a game", breaks: "a result is a game's") {
            $0.loseByTime()
            $0.results([$0.result("ann", score: 7)])
        },
        Row("a game that was left, listed as finished", breaks: "a result is a game's") {
            $0.closeAGame()
            $0.results([$0.result("ann", score: 0)])
        },
        Row("a game that was left", breaks: nil) {
            $0.closeAGame()
            $0.results([$0.result("ann", score: 0, kind: "left"), $0.result("ben", score: 0, kind: "left")])
        },
        Row("a game that was left, among the best", breaks: "a leaderboard has the results that were asked for") {
            $0.closeAGame()
            $0.results([$0.result("ann", score: 0, kind: "left")], best)
        },
        Row("a result twice", breaks: "a result is listed once") {
            $0.loseByTime()
            $0.results([$0.result("ann", score: 0), $0.result("ann", score: 0)])
        },
        Row("a result left out", breaks: "a leaderboard has all results that were asked for") {
            $0.loseByTime()
            $0.results([$0.result("ann", score: 0)])
        },
        Row("a missing result that may be late", breaks: nil) {
            $0.loseByTime()
            $0.model.hubHindered()
            $0.results([$0.result("ann", score: 0)])
        },
        Row("results in another order", breaks: "results are in the order that was asked for") {
            $0.loseByTime()
            $0.results([$0.result("ann", score: 0), $0.result("ben", score: 1)], best)
        },
        Row("a wrong rank", breaks: "a rank counts the better players") {
            $0.loseByTime()
            $0.results(
                [$0.result("ben", score: 1), $0.result("ann", score: 0)], best, token: "A",
                #","own":{"rank":1,"result":\#($0.result("ann", score: 0))}"#)
        },
        Row("no result of the asking player", breaks: "a leaderboard has the asking player's result") {
            $0.loseByTime()
            $0.results([$0.result("ben", score: 1), $0.result("ann", score: 0)], best, token: "A")
        },
        Row("a result without a name", breaks: "a player is shown by the present name") {
            $0.loseByTime()
            $0.results([$0.result("ann", score: 0, name: nil), $0.result("ben", score: 1)])
        },
        Row("a given-up name", breaks: "no message has a forgotten name") {
            $0.loseByTime()
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(3_000)
            $0.results([$0.result("ann", score: 0), $0.result("ben", score: 1)])
        },
    ]
    private static let best = "?order=best&game=connect-four&mode=7x6&against=people"

    static let games = [
        Row("a game to return to", breaks: nil) {
            $0.play()
            $0.pass(3_000)
            $0.http("GET", "/api/players/me/games", token: "A", answer: 200, $0.games([$0.game]))
        },
        Row("no game to return to", breaks: "a player's games are those with a seat that was not given up") {
            $0.play()
            $0.pass(3_000)
            $0.http("GET", "/api/players/me/games", token: "A", answer: 200, $0.games([]))
        },
        Row("another player's game", breaks: "a player's games are those with a seat that was not given up") {
            $0.play()
            $0.http(
                "POST", "/api/players", #"{"name":"Cy","token":"C"}"#, answer: 201, #"{"id":"cy","name":"Cy"}"#)
            $0.pass(3_000)
            $0.http("GET", "/api/players/me/games", token: "C", answer: 200, $0.games([$0.game]))
        },
    ]

    static let times = [
        Row("presence within its second", breaks: nil) {
            $0.join()
            for page in 1...3 { $0.tell(page, $0.presence(["ann", "ben"], 3)) }
            $0.rest(3_000)
        },
        Row("presence too late", breaks: presence) {
            $0.join()
            for page in 1...3 { $0.tell(page, $0.presence(["ann", "ben"], 3)) }
            $0.model.connectionClosed(Scene.ben, code: nil)
            $0.rest(1_300)
        },
        Row("presence late because the hub was blocked", breaks: nil) {
            $0.join()
            for page in 1...3 { $0.tell(page, $0.presence(["ann", "ben"], 3)) }
            $0.model.connectionClosed(Scene.ben, code: nil)
            $0.pass(1_000)
            $0.model.hubHindered()
            $0.rest(300)
        },
        Row("presence twice in a moment", breaks: "presence comes at most four times a second") {
            $0.tellPresenceTwice(behind: 100)
        },
        Row("a client that reads nothing and stays", breaks: "a client that does not read is closed") {
            $0.readNothing(for: 45_000)
        },
        Row("a client that reads nothing for a while", breaks: nil) { $0.readNothing(for: 30_000) },
        Row("a client that reads nothing and misses nothing", breaks: nil) {
            $0.join()
            for page in 1...3 { $0.tell(page, $0.presence(["ann", "ben"], 3)) }
            $0.model.reads(Scene.watcher, false)
            for _ in 1...45 { $0.rest(1_000) }
        },
        Row("a repeated id with nothing to do", breaks: "ok has the version of the last event") {
            $0.play()
            $0.repeatID(behind: 255)
        },
        Row("a repeated id with nothing to do, much later", breaks: nil) {
            $0.play()
            $0.repeatID(behind: 256)
        },
        Row("presence after a quarter of a second", breaks: nil) { $0.tellPresenceTwice(behind: 250) },
        Row("presence twice in a moment because a player sits down", breaks: nil) {
            $0.join()
            $0.pass(5_000)
            $0.tell(Scene.ben, $0.presence(["ann", "ben"], 3))
            $0.done(Scene.ann, "ann", #""type":"sit""#, [#""type":"seat-taken","seat":0,"player":"ann""#])
            $0.tell(Scene.ben, $0.presence(["ann", "ben"], 2))
        },
        Row("a computer that does not move", breaks: "a computer that is awaited moves") {
            $0.playComputer()
            $0.rest(3_000)
        },
        Row("a computer that moves", breaks: nil) {
            $0.playComputer()
            $0.pass(900)
            $0.record("hub/r/computer/0/5", $0.place(38, by: 0))
            $0.rest(3_000)
        },
        Row("a computer that moves twice", breaks: "a computer that is asked once moves once") {
            $0.playComputer()
            $0.record("hub/r/computer/0/5", $0.place(38, by: 0))
            $0.done(Scene.ann, "ann", #""type":"drop","column":3"#, $0.place(31, by: 1))
            $0.record("hub/r/computer/0/6", $0.place(24, by: 0))
        },
    ]
    private static let presence = "presence says within a second who is connected"
}

extension Scene {
    /// Ann and Ben play a turn each, then Ann's time runs out.
    func loseByTime() {
        play()
        for (seat, page) in [Self.ann, Self.ben].enumerated() {
            let drop = #""type":"drop-disc","cell":\#(38 - 7 * seat),"seat":\#(seat)"#
            done(page, seat == 0 ? "ann" : "ben", #""type":"drop","column":3"#, [drop, turn(1 - seat)])
        }
        pass(30_000)
        record("hub/r/\(version)", expired(turns: 1))
        pass(2_000)
    }

    /// Ann closes the room before anyone has won.
    func closeAGame() {
        play()
        pass(30_000)
        let results =
            #"[{"seat":0,"player":"ann","score":0,"place":1,"turns":0,"time":30000},"#
            + #"{"seat":1,"player":"ben","score":0,"place":1,"turns":0,"time":30000}]"#
        let seed = String(repeating: "01", count: 32)
        done(
            Self.ann, "ann", #""type":"close""#,
            [
                #""type":"game-ended","game":"connect-four","mode":"7x6","number":1,"results":\#(results),"#
                    + #""reason":"closed","reveal":{"seed":"\#(seed)","nonces":[]}"#, #""type":"room-closed""#,
            ])
        pass(2_000)
    }

    func results(_ results: [String], _ query: String = "", token: String? = nil, _ extra: String = "") {
        let list = results.joined(separator: ",")
        http("GET", "/api/leaderboard" + query, token: token, answer: 200, #"{"results":[\#(list)]\#(extra)}"#)
    }

    /// A listed result of the game that was lost on time 2 s ago.
    func result(_ player: String, score: Int, kind: String = "finished", name: String? = "") -> String {
        let shown = name.map { $0.isEmpty ? (player == "ann" ? "Ann" : "Ben") : $0 }
        return #"{"player":"\#(player)""# + (shown.map { #","name":"\#($0)""# } ?? "")
            + #","game":"connect-four","mode":"7x6","against":"people","score":\#(score),"#
            + #""turns":\#(kind == "left" ? 0 : 1),"time":30000,"at":1700000030000,"kind":"\#(kind)","room":"k3m7pq"}"#
    }

    func games(_ games: [String]) -> String { #"{"rooms":[\#(games.joined(separator: ","))],"names":{}}"# }

    /// The room, while Ann and Ben play.
    var game: String {
        #"{"code":"k3m7pq","game":"connect-four","options":{},"visibility":"public","host":"ann","#
            + #""seats":{"taken":2,"computers":0,"all":2},"status":"running","awaited":["ann"],"present":2,"#
            + #""spectators":1,"hostName":"Ann","players":["ann","ben"]}"#
    }

    /// A computer starts, and Ann waits.
    func playComputer() {
        join()
        for page in 1...3 { tell(page, presence(["ann", "ben"], 2)) }
        done(Self.ann, "ann", #""type":"bot","seat":0,"level":"1""#, [computer])
        done(Self.ann, "ann", #""type":"sit""#, [#""type":"seat-taken","seat":1,"player":"ann""#])
        for page in 1...3 { tell(page, presence(["ann", "ben"], 2)) }
        let seats = #"[{"seat":0,"player":"bot-0","bot":"1"},{"seat":1,"player":"ann"}]"#
        done(
            Self.ann, "ann", #""type":"start""#,
            [
                #""type":"game-started","number":1,"options":{"seats":2,"turnTime":0},"#
                    + #""board":{"columns":7,"rows":6},"seats":\#(seats),"first":0"#, #""type":"turn","seat":0"#,
            ])
    }

    /// A disc in a game without a turn limit.
    func place(_ cell: Int, by seat: Int) -> [String] {
        [#""type":"drop-disc","cell":\#(cell),"seat":\#(seat)"#, #""type":"turn","seat":\#(1 - seat)"#]
    }

    private var computer: String { #""type":"seat-taken","seat":0,"player":"bot-0","bot":"1""# }

    /// Ben, who has been connected for long, gets `presence` twice, `span` ms apart.
    fileprivate func tellPresenceTwice(behind span: Int) {
        join()
        pass(5_000)
        tell(Self.ben, presence(["ann", "ben"], 2))
        pass(span)
        tell(Self.ben, presence(["ann", "ben"], 3))
    }

    /// The watcher reads nothing, and misses the first move.
    fileprivate func readNothing(for span: Int) {
        play()
        for page in 1...3 { tell(page, presence(["ann", "ben"], 1)) }
        model.reads(Self.watcher, false)
        let id = ask(Self.ann, #""type":"drop","column":3"#)
        record("ann/\(id)", drop(38, by: 0))
        for page in [Self.ann, Self.ben] { show(page, from: version - 1) }
        for _ in 0..<span / 1_000 { rest(1_000) }
    }

    /// Ann repeats the id of her first command after this many commits, with nothing to do.
    fileprivate func repeatID(behind count: Int) {
        // Ben sitting down and the start are two of them.
        for number in 2..<count {
            let visibility = number % 2 == 0 ? "seeking" : "public"
            done(Self.ann, "ann", #""type":"visibility","visibility":"\#(visibility)""#, [self.visibility(visibility)])
        }
        say(Self.ann, #"{"type":"here","id":"c1"}"#)
        tell(Self.ann, #"{"type":"ok","id":"c1","v":\#(version)}"#)
    }
}
