import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("refusals and reactions that have no cause", arguments: causes)
    func findsWithoutCause(_ row: Row) { finds(row) }

    static let causes = [
        Row("refused for the log, which nothing hinders", breaks: answers) {
            $0.refuse("log-unavailable", after: 10_001)
        },
        Row("refused for the log, which was down a while ago", breaks: nil) {
            $0.refuse("log-unavailable", after: 10_000)
        },
        Row("refused for a fault of the game", breaks: faultless) { $0.refuse("game-fault") },
        Row("a game that a fault has ended", breaks: faultless) {
            $0.play()
            $0.record("hub/r/5", [#""type":"game-ended","reason":"fault""#])
        },
        Row("too fast, and it was not", breaks: slow) { $0.refuse("too-fast") },
        Row("too fast with six lines", breaks: slow) { $0.say(6) },
        Row("too fast with seven lines", breaks: nil) { $0.say(7) },
        Row("too fast with a line, long behind six others", breaks: slow) {
            $0.join()
            for _ in 0..<6 { $0.ask(Scene.ann, #""type":"say","text":"hi""#) }
            $0.pass(120_000)
            $0.refuse($0.ask(Scene.ann, #""type":"say","text":"hi""#), "too-fast")
        },
        Row("too fast with more lines than come free", breaks: nil) {
            $0.join()
            for _ in 0..<12 {
                $0.ask(Scene.ann, #""type":"say","text":"hi""#)
                $0.pass(100)
            }
            $0.refuse($0.ask(Scene.ann, #""type":"say","text":"hi""#), "too-fast")
        },
        Row("too fast with a hello", breaks: slow) {
            $0.join()
            $0.tell(Scene.ann, #"{"type":"error","code":"too-fast","message":"So."}"#)
        },
        Row("a reaction", breaks: nil) {
            $0.join()
            $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            for page in 1...2 { $0.tell(page, #"{"type":"reaction","from":"ben","emoji":"👍"}"#) }
        },
        Row("a reaction of somebody else", breaks: "a reaction was made by who it is from") {
            $0.join()
            $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            $0.tell(Scene.ann, #"{"type":"reaction","from":"ann","emoji":"👍"}"#)
        },
        Row("another reaction", breaks: "a reaction was made by who it is from") {
            $0.join()
            $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            $0.tell(Scene.ann, #"{"type":"reaction","from":"ben","emoji":"🎉"}"#)
        },
    ]
    private static let answers = "a hub that nothing hinders answers what it is asked"
    private static let faultless = "a game does nothing that cannot be recorded"
    private static let slow = "who says little is not too fast"
}

extension Scene {
    /// Ann cannot sit down, for this reason, so long after the hub was hindered.
    fileprivate func refuse(_ code: String, after span: Int = 0) {
        join()
        pass(span)
        refuse(ask(Self.ann, #""type":"sit""#), code)
    }

    fileprivate func refuse(_ id: String, _ code: String) {
        tell(Self.ann, #"{"type":"error","id":"\#(id)","code":"\#(code)","message":"So."}"#)
    }

    /// So many lines, of which the last one comes too fast.
    fileprivate func say(_ count: Int) {
        join()
        let ids = (1...count).map { _ in ask(Self.ann, #""type":"say","text":"hi""#) }
        refuse(ids[count - 1], "too-fast")
    }
}
