import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("lists of rooms, and the lobby", arguments: lobby + lists)
    func findsInLists(_ row: Row) { finds(row) }

    static let lobby = [
        Row("a room that is listed, changes and goes", breaks: nil) {
            $0.lookOn()
            $0.gather()
            $0.rest(1_000)
            $0.tell(Scene.lobby, $0.room())
            $0.done(Scene.ann, "ann", #""type":"visibility","visibility":"seeking""#, [$0.visibility("seeking")])
            $0.rest(1_000)
            $0.tell(Scene.lobby, $0.room(visibility: "seeking"))
            for page in 1...3 { $0.model.connectionClosed(page, code: nil) }
            $0.pass(2_000)
            $0.tell(Scene.lobby, #"{"type":"room-gone","code":"k3m7pq"}"#)
            $0.rest(10_000)
        },
        Row("a room that is not listed", breaks: "a list has each room that it should") {
            $0.lookOn()
            $0.gather()
            $0.rest(3_000)
        },
        Row("a room that is not listed because the hub was blocked", breaks: nil) {
            $0.lookOn()
            $0.gather()
            $0.pass(1_000)
            $0.model.hubHindered()
            $0.rest(2_000)
        },
        Row("a room that is sent before the list", breaks: "the lobby sends all rooms first") {
            $0.model.connectionOpened(Scene.lobby, room: nil)
            $0.gather()
            $0.tell(Scene.lobby, $0.room())
        },
        Row("no list at all", breaks: "the lobby sends all rooms first") {
            $0.model.connectionOpened(Scene.lobby, room: nil)
            $0.rest(3_000)
        },
        Row("a room that everyone has left", breaks: gone) {
            $0.lookOn()
            $0.gather()
            $0.tell(Scene.lobby, $0.room())
            for page in 1...3 { $0.model.connectionClosed(page, code: nil) }
            $0.rest(3_000)
        },
        Row("a room that became unlisted", breaks: gone) {
            $0.lookOn()
            $0.gather()
            $0.tell(Scene.lobby, $0.room())
            $0.done(Scene.ann, "ann", #""type":"visibility","visibility":"unlisted""#, [$0.visibility("unlisted")])
            $0.rest(3_000)
        },
        Row("an unlisted room", breaks: "a list has only rooms that everyone may find") {
            $0.lookOn()
            $0.gather()
            $0.done(Scene.ann, "ann", #""type":"visibility","visibility":"unlisted""#, [$0.visibility("unlisted")])
            $0.tell(Scene.lobby, $0.room(visibility: "unlisted"))
        },
        Row("a seat that is not taken", breaks: "a list shows a room as it is, or recently was") {
            $0.lookOn()
            $0.gather()
            $0.tell(Scene.lobby, $0.room(taken: 1))
        },
        Row("a room as it was before the last change sent", breaks: "a list shows a room as it is, or recently was") {
            $0.lookOn()
            $0.gather()
            $0.done(Scene.ann, "ann", #""type":"visibility","visibility":"seeking""#, [$0.visibility("seeking")])
            $0.tell(Scene.lobby, $0.room(visibility: "seeking"))
            $0.pass(1_000)
            $0.tell(Scene.lobby, $0.room())
        },
        Row("a late change", breaks: "a list shows a change in time") {
            $0.lookOn()
            $0.gather()
            $0.tell(Scene.lobby, $0.room())
            $0.rest(6_000)
            $0.done(Scene.ann, "ann", #""type":"visibility","visibility":"seeking""#, [$0.visibility("seeking")])
            $0.rest(3_000)
        },
        Row("someone who is not connected", breaks: "a list counts the people in a room") {
            $0.lookOn()
            $0.gather()
            $0.tell(Scene.lobby, $0.room(spectators: 4))
            $0.rest(8_000)
        },
        Row("a field that lists do not have", breaks: "an entry of a list has what the protocol says") {
            $0.lookOn()
            $0.gather()
            $0.tell(Scene.lobby, $0.room(#","seed":"00""#))
        },
        Row("a room twice in a second", breaks: "the lobby sends a room at most once a second") {
            $0.lookOn()
            $0.gather()
            $0.tell(Scene.lobby, $0.room())
            $0.pass(900)
            $0.tell(Scene.lobby, $0.room())
        },
        Row("a pong", breaks: nil) {
            $0.lookOn()
            $0.say(Scene.lobby, #"{"type":"ping","n":7}"#)
            $0.tell(Scene.lobby, #"{"type":"pong","n":7,"now":\#($0.time)}"#)
            $0.rest(3_000)
        },
        Row("no pong", breaks: "a ping is answered") {
            $0.lookOn()
            $0.say(Scene.lobby, #"{"type":"ping","n":7}"#)
            $0.rest(3_000)
        },
        Row("ok to a command", breaks: "the lobby only speaks of rooms") {
            $0.lookOn()
            $0.say(Scene.lobby, #"{"type":"sit","id":"1"}"#)
            $0.tell(Scene.lobby, #"{"type":"ok","id":"1","v":1}"#)
        },
    ]
    private static let gone = "a list drops closed, unlisted and empty rooms"

    static let lists = [
        Row("a list of the room", breaks: nil) {
            $0.join()
            $0.pass(8_000)
            $0.http("GET", "/api/rooms", answer: 200, #"{"rooms":[\#($0.entry())]}"#)
        },
        Row("a list without the room", breaks: "a list has each room that it should") {
            $0.join()
            $0.pass(3_000)
            $0.http("GET", "/api/rooms", answer: 200, #"{"rooms":[]}"#)
        },
        Row("a room twice", breaks: "a list has each room once") {
            $0.join()
            $0.http("GET", "/api/rooms", answer: 200, #"{"rooms":[\#($0.entry()),\#($0.entry())]}"#)
        },
        Row("a room that is not found", breaks: "an existing room is found") {
            $0.http("GET", "/api/rooms/k3m7pq", answer: 404)
        },
        Row("an unknown room", breaks: nil) { $0.http("GET", "/api/rooms/xxxxxx", answer: 404) },
        Row("a room as it is", breaks: nil) {
            $0.join()
            $0.pass(1_000)
            $0.http("GET", "/api/rooms/k3m7pq", answer: 200, $0.entry(#","names":{"ann":"Ann"}"#))
        },
        Row("a room as it was", breaks: "a room is described as it is") {
            $0.join()
            $0.done(Scene.ann, "ann", #""type":"visibility","visibility":"seeking""#, [$0.visibility("seeking")])
            $0.http("GET", "/api/rooms/k3m7pq", answer: 200, $0.entry(#","names":{}"#))
        },
        Row("a room with other people in it", breaks: "a list counts the people in a room") {
            $0.join()
            $0.pass(1_000)
            $0.http("GET", "/api/rooms/k3m7pq", answer: 200, $0.entry(#","names":{}"#, spectators: 7))
        },
    ]
}

extension Scene {
    static let lobby = 8

    /// All three are connected, and have been told so.
    func gather() {
        join()
        for page in 1...3 { tell(page, presence(["ann", "ben"], 3)) }
    }

    /// A page looks at the empty lobby.
    func lookOn() {
        pass(10_000)
        model.connectionOpened(Self.lobby, room: nil)
        tell(Self.lobby, #"{"type":"rooms","rooms":[]}"#)
    }

    func visibility(_ visibility: String) -> String { #""type":"visibility-changed","visibility":"\#(visibility)""# }

    func room(_ extra: String = "", visibility: String = "public", taken: Int = 0, spectators: Int = 3) -> String {
        #"{"type":"room","room":"#
            + entry(extra, visibility: visibility, taken: taken, spectators: spectators) + "}"
    }

    /// An entry of a list while Ann, Ben and the watcher are connected.
    func entry(_ extra: String = "", visibility: String = "public", taken: Int = 0, spectators: Int = 3) -> String {
        #"{"code":"k3m7pq","game":"connect-four","options":{},"visibility":"\#(visibility)","host":"ann","#
            + #""seats":{"taken":\#(taken),"computers":0,"all":2},"status":"waiting","present":1,"#
            + #""spectators":\#(spectators),"hostName":"Ann"\#(extra)}"#
    }

    func rest(_ span: Int) {
        pass(span)
        model.loopsTurned(at: time)
    }
}
