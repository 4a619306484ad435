import ReferenceModel
import Testing

@Suite("Broken promises that the model finds") struct BrokenPromiseTests {
    /// Something that a hub does, and the promise that it breaks.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: String?
        let act: @Sendable (Scene) -> Void

        init(_ name: String, breaks rule: String?, _ act: @escaping @Sendable (Scene) -> Void) {
            (testDescription, self.rule, self.act) = (name, rule, act)
        }
    }

    @Test("rooms and what they show", arguments: rooms + connections + commands + clocks + accounts)
    func finds(_ row: Row) {
        let scene = Scene()
        row.act(scene)
        #expect(scene.model.broken?.rule == row.rule, "\(scene.model.broken.map { "\($0)" } ?? "nothing was found")")
    }

    static let rooms = [
        Row("a game that is played", breaks: nil) {
            $0.play()
            $0.done(Scene.ann, "ann", #""type":"drop","column":3"#, $0.drop(38, by: 0))
            $0.done(Scene.ben, "ben", #""type":"drop","column":3"#, $0.drop(31, by: 1))
        },
        Row("a version twice", breaks: "versions have no gaps") {
            $0.record("ann/c1", [#""type":"x""#], from: 1)
        },
        Row("a version left out", breaks: "versions have no gaps") {
            $0.record("ann/c1", [#""type":"x""#], from: 3)
        },
        Row("a commit twice", breaks: "a commit's id is used once in a stream") {
            $0.play()
            $0.record("ann/c1", [#""type":"seat-taken","seat":0,"player":"ann""#])
        },
        Row("a head that does not follow", breaks: "the head follows from the last one and the record") {
            $0.record("ann/c1", [#""type":"x""#], isBroken: true)
        },
        Row("a time before the last one", breaks: "a room's times never go back") {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#], at: 5)
        },
        Row("an event without a request", breaks: "an event was asked for, or is the room's or a computer's") {
            $0.join()
            $0.record("ann/x", [#""type":"seat-taken","seat":0,"player":"ann""#])
        },
        Row("another player's event", breaks: "an event was asked for, or is the room's or a computer's") {
            $0.join()
            let id = $0.ask(Scene.ben, #""type":"sit""#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#])
        },
        Row("a room's commit with an old version", breaks: versionRule) {
            $0.join()
            $0.record("hub/r/7", [#""type":"back","seat":0"#])
        },
        Row("a commit whose last event says that more follow", breaks: wholenessRule) {
            $0.play()
            let id = $0.ask(Scene.ann, #""type":"drop","column":3"#)
            $0.record("ann/\(id)", $0.drop(38, by: 0), followed: [0, 1])
        },
        Row("a commit without a sign in its middle that more follow", breaks: wholenessRule) {
            $0.play()
            let id = $0.ask(Scene.ann, #""type":"drop","column":3"#)
            $0.record("ann/\(id)", $0.drop(38, by: 0), followed: [])
        },
        Row("a single event that says that more follow", breaks: wholenessRule) {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#], followed: [0])
        },
        Row("a seed that is not the promised one", breaks: "only what is committed to is sealed") {
            $0.play()
            let id = $0.ask(Scene.ann, #""type":"resign""#)
            $0.record("ann/\(id)", [#""type":"resigned","seat":0"#, #""type":"game-ended","commitment":"00""#])
        },
    ]
    private static let wholenessRule = "each event of a commit but the last says that more follow"
    private static let versionRule = "a commit of the hub is named after the version before it"

    static let connections = [
        Row("an event before it is durable", breaks: "an event is durable before it is shown") {
            $0.join()
            $0.tell(Scene.ann, #"{"v":2,"t":1,"type":"back"}"#)
        },
        Row("a greeting before it is durable", breaks: "an event is durable before it is shown") {
            $0.model.connectionOpened(9, room: $0.code)
            $0.say(9, #"{"type":"hello"}"#)
            $0.tell(9, #"{"type":"welcome","version":2}"#)
        },
        Row("an event with other bytes", breaks: "an event is shown as it was recorded") {
            $0.play()
            $0.tell(Scene.ann, String(decoding: $0.records[0], as: UTF8.self) + " ")
        },
        Row("an event twice", breaks: "no event is shown twice on a connection") {
            $0.play()
            $0.show(Scene.ann, from: $0.version)
        },
        Row("an event left out", breaks: "a connection gets every event") {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#])
            let next = $0.ask(Scene.ben, #""type":"sit""#)
            $0.record("ben/\(next)", [#""type":"seat-taken","seat":1,"player":"ben""#])
            $0.show(Scene.ann, from: 3)
        },
        Row("an event before the greeting", breaks: "nothing is shown before a greeting") {
            $0.model.connectionOpened(9, room: $0.code)
            $0.show(9, from: 1)
        },
        Row("an event that never comes", breaks: "every member gets every event") {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#])
            $0.show(Scene.ann, from: 2)
            $0.tell(Scene.ann, #"{"type":"ok","id":"\#(id)","v":2}"#)
            $0.model.cameToRest(at: $0.time)
        },
        Row("a greeting with more in it", breaks: "a greeting has only its own members") {
            $0.greet(Scene.ann, "A", as: "ann", #","seed":"00""#)
        },
        Row("a room with more in it", breaks: "a welcome has the room at its version") {
            $0.model.connectionOpened(9, room: $0.code)
            $0.say(9, #"{"type":"hello"}"#)
            $0.tell(9, $0.welcome(as: nil, room: #","seed":"00""#))
        },
        Row("a greeting with another's name", breaks: "a greeting is for the player whose token was given") {
            $0.greet(Scene.ann, "A", as: "ben")
        },
        Row("a resume that leaves an event out", breaks: "a connection gets every event") {
            $0.play()
            $0.model.connectionOpened(9, room: $0.code)
            $0.say(9, #"{"type":"hello","after":2}"#)
            $0.tell(9, $0.resume)
            $0.show(9, from: 4)
        },
        Row("a resume with all events", breaks: nil) {
            $0.play()
            $0.model.connectionOpened(9, room: $0.code)
            $0.say(9, #"{"type":"hello","after":2}"#)
            $0.tell(9, $0.resume)
            $0.show(9, from: 3)
        },
        Row("ok before the events of a resume", breaks: "ok comes after its events") {
            $0.askBehindHellos(after: 0)
        },
        Row("ok after a resume that may answer the later of two hellos", breaks: nil) {
            $0.askBehindHellos(after: 0, 1)
        },
        Row("a resume from another head", breaks: "a resume continues from the given head") {
            $0.play()
            $0.model.connectionOpened(9, room: $0.code)
            $0.say(9, #"{"type":"hello","after":2,"head":"\#(String(repeating: "0", count: 64))"}"#)
            $0.tell(9, $0.resume)
        },
        Row("a pong without a ping", breaks: "a pong answers a ping") {
            $0.join()
            $0.tell(Scene.ann, #"{"type":"pong","n":1,"now":1}"#)
        },
        Row("a line of chat that was not said", breaks: "a line of chat was said once, by its player") {
            $0.join()
            $0.tell(Scene.ann, #"{"type":"chat","from":"ben","text":"hi","t":1}"#)
        },
        Row("presence of a player who has left", breaks: "the last presence says who is connected") {
            $0.join()
            $0.pass(1_000)
            for page in 1...3 { $0.tell(page, $0.presence(["ann", "ben"], 3)) }
            $0.model.connectionClosed(Scene.ben, code: nil)
            $0.pass(1_000)
            $0.model.cameToRest(at: $0.time)
        },
        Row("presence of connected players", breaks: nil) {
            $0.join()
            $0.pass(1_000)
            for page in 1...3 { $0.tell(page, $0.presence(["ann", "ben"], 3)) }
            $0.model.cameToRest(at: $0.time)
        },
    ]
}

extension Scene {
    var resume: String {
        #"{"type":"resume","version":\#(version),"head":"\#(headText)","now":\#(time),"#
            + #""you":{"isHost":false},"names":{},"presence":{"players":[],"spectators":0},"chat":[]}"#
    }

    /// Ann gets an answer without an event after one greeting.
    fileprivate func askBehindHellos(after versions: Int...) {
        join()
        for after in versions { say(Self.ann, #"{"type":"hello","token":"A","after":\#(after)}"#) }
        tell(Self.ann, resume(as: "ann", "Ann"))
        let id = ask(Self.ann, #""type":"here""#)
        tell(Self.ann, #"{"type":"ok","id":"\#(id)","v":1}"#)
    }

    func presence(_ players: [String], _ spectators: Int) -> String {
        func list(_ players: [String]) -> String { players.map { "\"\($0)\"" }.joined(separator: ",") }
        let (came, went) = (list(players), list(["ann", "ben"].filter { !players.contains($0) }))
        let named = ["ann": "Ann", "ben": "Ben"].filter { players.contains($0.key) }
        let names = named.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
        return #"{"type":"presence","came":[\#(came)],"went":[\#(went)],"names":{\#(names)},"#
            + #""spectators":\#(spectators)}"#
    }
}
