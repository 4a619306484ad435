import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("refusals and reactions without a cause", arguments: causes)
    func findsWithoutCause(_ row: Row) { finds(row) }

    static let causes = [
        Row("a refusal because of the log, which is up", breaks: answers) {
            $0.refuse("log-unavailable", after: 10_001)
        },
        Row("a refusal because of the log, which was down a while ago", breaks: nil) {
            $0.refuse("log-unavailable", after: 10_000)
        },
        Row("a refusal because of a fault of the game", breaks: faultless) { $0.refuse("game-fault") },
        Row("a game that a fault ended", breaks: faultless) {
            $0.play()
            $0.record("hub/r/5", [#""type":"game-ended","reason":"fault""#])
        },
        Row("too fast, though it was not", breaks: slow) { $0.refuse("too-fast") },
        Row("too fast with six lines", breaks: slow) { $0.say(6) },
        Row("too fast with seven lines", breaks: nil) { $0.say(7) },
        Row("too fast with a line, long after six others", breaks: slow) {
            $0.join()
            for _ in 0..<6 { $0.ask(Scene.ann, #""type":"say","text":"hi""#) }
            $0.pass(120_000)
            $0.refuse($0.ask(Scene.ann, #""type":"say","text":"hi""#), "too-fast", to: Scene.ann)
        },
        Row("too fast with more lines than are allowed again", breaks: nil) {
            $0.join()
            for _ in 0..<12 {
                $0.ask(Scene.ann, #""type":"say","text":"hi""#)
                $0.pass(100)
            }
            $0.refuse($0.ask(Scene.ann, #""type":"say","text":"hi""#), "too-fast", to: Scene.ann)
        },
        Row("too fast with a hello", breaks: slow) {
            $0.join()
            $0.tell(Scene.ann, #"{"type":"error","code":"too-fast","message":"So."}"#)
        },
        Row("a reaction", breaks: nil) {
            $0.join()
            for page in 1...2 { $0.tell(page, $0.presence(["ann", "ben"], 3)) }
            $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            for page in 1...2 { $0.tell(page, #"{"type":"reaction","from":"ben","emoji":"👍"}"#) }
        },
        Row("a reaction of another player", breaks: "a reaction was made by its player") {
            $0.join()
            $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            $0.tell(Scene.ann, #"{"type":"reaction","from":"ann","emoji":"👍"}"#)
        },
        Row("a reaction of a player without a name", breaks: "a player is shown by the present name") {
            $0.join()
            $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            $0.tell(Scene.ann, #"{"type":"reaction","from":"ben","emoji":"👍"}"#)
        },
        Row("a different reaction", breaks: "a reaction was made by its player") {
            $0.join()
            $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            $0.tell(Scene.ann, #"{"type":"reaction","from":"ben","emoji":"🎉"}"#)
        },
    ]
    @Test("answers to several commands with the same id", arguments: namesakes)
    func findsOfOneID(_ row: Row) { finds(row) }

    static let namesakes = [
        Row("refused at once with its name, while an earlier one waits", breaks: nil) {
            $0.join()
            let commands = [#""type":"here""#, #""type":"flip","cell":0"#]
            $0.askTwice(commands) { scene, id in
                scene.refuse(id, "unknown-type", with: #","command":"flip""#)
                scene.tell(Scene.ben, #"{"type":"ok","id":"\#(id)","v":\#(scene.version)}"#)
            }
        },
        Row("refused with a name that was not sent", breaks: "an error answers something that was said") {
            $0.join()
            $0.askTwice([#""type":"here""#, #""type":"flip","cell":0"#]) { scene, id in
                scene.refuse(id, "unknown-type", with: #","command":"shuffle""#)
            }
        },
        Row("refused at once for a field, while an earlier one waits", breaks: nil) {
            $0.join()
            $0.askTwice([#""type":"visibility","visibility":"seeking""#, #""type":"say""#]) { scene, id in
                scene.refuse(id, "bad-field", with: #","field":"text""#)
                scene.refuse(id, "not-host")
            }
        },
        Row("refused twice for the fault of one", breaks: "only impossible commands are refused") {
            $0.join()
            $0.askTwice([#""type":"react","emoji":"👍""#, #""type":"say""#]) { scene, id in
                scene.refuse(id, "bad-field", with: #","field":"text""#)
                scene.refuse(id, "no-such-seat")
            }
        },
        Row("done at once, while an earlier one waits", breaks: nil) {
            $0.join()
            $0.askTwice([#""type":"visibility","visibility":"seeking""#, #""type":"react","emoji":"👍""#]) { scene, id in
                scene.tell(Scene.ben, #"{"type":"ok","id":"\#(id)","v":\#(scene.version)}"#)
                scene.refuse(id, "not-host")
            }
        },
    ]

    private static let answers = "a hub that nothing hinders answers requests"
    private static let faultless = "a game does nothing that cannot be recorded"
    private static let slow = "a client that says little is not too fast"
}

extension Scene {
    /// Ann cannot sit down for this reason, `span` ms after the hub was hindered.
    fileprivate func refuse(_ code: String, after span: Int = 0) {
        join()
        pass(span)
        refuse(ask(Self.ann, #""type":"sit""#), code, to: Self.ann)
    }

    fileprivate func refuse(_ id: String, _ code: String, to connection: Int = Scene.ben, with values: String = "") {
        tell(connection, #"{"type":"error","id":"\#(id)","code":"\#(code)","message":"So."\#(values)}"#)
    }

    /// Two commands of Ben with one id.
    fileprivate func askTwice(_ commands: [String], then: (Scene, String) -> Void) {
        for command in commands { say(Self.ben, #"{\#(command),"id":"x"}"#) }
        then(self, "x")
    }

    /// Sends `count` lines, of which the last comes too fast.
    fileprivate func say(_ count: Int) {
        join()
        let ids = (1...count).map { _ in ask(Self.ann, #""type":"say","text":"hi""#) }
        refuse(ids[count - 1], "too-fast", to: Self.ann)
    }
}
