import Testing

@Suite("What the model finds in a hub's own log") struct BrokenLogLineTests {
    private let scene = Scene()

    @Test(
        "a card or a bid is found",
        arguments: [
            ("room=k3m7pq ann has 10♠", []), ("shown", [("to", "3♥, 4♦")]), ("shown", [("bid", "5")]),
            ("shown", [("hand", "5 6 7")]),
        ] as [(String, [(name: String, value: String)])])
    func cards(text: String, values: [(name: String, value: String)]) {
        scene.model.lineLogged(text, values)
        #expect(scene.model.broken?.rule == "no log line shows a card or a bid")
    }

    @Test(
        "a message, a state or bytes are found, as text or as a value",
        arguments: [
            #"refused {"type":"bid"}"#, #"refused ["card": 5]"#, "Cards(bits: 76)", "[123, 34, 98]", "bid=5",
            "integer(5)",
        ])
    func dumps(text: String) {
        for (line, values) in [(text, []), ("refused", [(name: "reason", value: text)])] {
            let scene = Scene()
            scene.model.lineLogged(line, values)
            #expect(scene.model.broken?.rule == "no log line shows a whole message or state")
        }
    }

    @Test("a seed is found")
    func seed() {
        scene.model.lineLogged("dealt", [("seed", String(repeating: "01", count: 32))])
        #expect(scene.model.broken?.rule == "no secret leaves the hub")
    }

    @Test("a sentence with values is not")
    func sentence() {
        scene.model.lineLogged(
            "a limit was passed (logged once a minute)", [("addresses", "192.0.2.1, 2001:db8::/64"), ("times", "3")])
        #expect(scene.model.broken == nil)
    }
}
