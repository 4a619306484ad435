import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("times that the hub tells", arguments: clockTimes)
    func findsInTimes(_ row: Row) { finds(row) }

    static let clockTimes = [
        Row("a pong with the time of the ping, on a loop that is slightly behind", breaks: nil) { $0.ping(-100) },
        Row("a pong with a time before the ping", breaks: clock) { $0.ping(-101) },
        Row("a pong with a future time", breaks: clock) { $0.ping(1) },
        Row("a pong without a time", breaks: clock) {
            $0.join()
            $0.say(Scene.ann, #"{"type":"ping","n":7}"#)
            $0.tell(Scene.ann, #"{"type":"pong","n":7}"#)
        },
        Row("a pong of the lobby with a future time", breaks: clock) {
            $0.lookOn()
            $0.say(Scene.lobby, #"{"type":"ping","n":7}"#)
            $0.tell(Scene.lobby, #"{"type":"pong","n":7,"now":\#($0.time + 1)}"#)
        },
        Row("a greeting with a time before its hello", breaks: clock) {
            let welcome = $0.welcome(as: "ann")
            $0.pass(101)
            $0.model.connectionOpened(Scene.ann, room: $0.code)
            $0.say(Scene.ann, #"{"type":"hello","token":"A"}"#)
            $0.tell(Scene.ann, welcome)
        },
        Row("an unrequested welcome with an old time", breaks: clock) {
            $0.join()
            let welcome = $0.welcome(as: "ann")
            $0.pass(101)
            $0.tell(Scene.ann, welcome)
        },
        Row("an event with a time before its command", breaks: clock) { $0.sit(-101) },
        Row("an event with a future time", breaks: clock) { $0.sit(1) },
        Row("a move with a future time", breaks: clock) {
            $0.play()
            let id = $0.ask(Scene.ann, #""type":"drop","column":3"#)
            let turn = #""type":"turn","seat":1,"deadline":\#($0.time + 30_001)"#
            $0.record("ann/\(id)", [#""type":"drop-disc","cell":38,"seat":0"#, turn], at: $0.time + 1)
        },
        Row("a line of chat with a future time", breaks: clock) {
            $0.join()
            $0.ask(Scene.ann, #""type":"say","text":"hi""#)
            $0.tell(Scene.ann, #"{"type":"chat","from":"ann","text":"hi","t":\#($0.time + 1)}"#)
        },
        Row("a hub whose clock is behind its log", breaks: nil) { $0.startBehind(sittingAt: 0) },
        Row("the same with a time that is further ahead", breaks: clock) { $0.startBehind(sittingAt: 1) },
    ]
    private static let clock = "a time is that of the hub's clock"
}

extension Scene {
    /// A pong whose time is off by `span`.
    fileprivate func ping(_ span: Int) {
        join()
        say(Self.ann, #"{"type":"ping","n":7}"#)
        tell(Self.ann, #"{"type":"pong","n":7,"now":\#(time + span)}"#)
    }

    /// Ann sits down, with an event whose time is off by `span`.
    fileprivate func sit(_ span: Int) {
        pass(1_000)
        record("other/1", [#""type":"visibility-changed","visibility":"public""#], at: time - 1_000)
        join()
        let id = ask(Self.ann, #""type":"sit""#)
        record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#], at: time + span)
    }

    /// The next hub's clock is a minute behind the last event. Ann sits down `span` ms after that event.
    fileprivate func startBehind(sittingAt span: Int) {
        let last = time
        model.hubStarted(loops: 1, lastPlayed: nil, now: last - 60_000)
        pass(-60_000)
        join()
        let id = ask(Self.ann, #""type":"sit""#)
        record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#], at: last + span)
    }
}
