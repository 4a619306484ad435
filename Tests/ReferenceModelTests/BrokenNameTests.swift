import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("names and tokens that are free again", arguments: freeNames)
    func findsInNames(_ row: Row) { finds(row) }

    static let freeNames = [
        Row("another player's name", breaks: nil) { $0.register("Ann", "C", answer: 409, "name-taken") },
        Row("a player's earlier name", breaks: aFreeName) {
            $0.rename("Anna", answer: 200)
            $0.register("Ann", "C", answer: 409, "name-taken")
        },
        Row("the earlier name of a player who may have changed it", breaks: nil) {
            $0.rename("Anna", answer: 503)
            $0.register("Ann", "C", answer: 409, "name-taken")
        },
        Row("a forgotten player's name", breaks: aFreeName) {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.register("Ann", "C", answer: 409, "name-taken")
        },
        Row("a name that another player may have taken", breaks: nil) {
            $0.rename("Anna", answer: 200)
            $0.register("Ann", "C", answer: 503)
            $0.register("Ann", "D", answer: 409, "name-taken")
        },
        Row("a name that another player is asking for", breaks: nil) {
            $0.rename("Anna", answer: 200)
            $0.model.requestArrived(
                99, method: "POST", target: "/api/players", token: nil,
                body: Array(#"{"name":"Ann","token":"C"}"#.utf8))
            $0.register("Ann", "D", answer: 409, "name-taken")
        },
        Row("a free name that a message shows again", breaks: nil) {
            $0.join()
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(3_000)
            $0.http(
                "POST", "/api/players", #"{"name":"Ann","token":"C"}"#, answer: 201, #"{"id":"cleo","name":"Ann"}"#)
        },
        Row("a forgotten player's token", breaks: nil) {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(20_000)
            $0.register("Cleo", "A", answer: 201)
        },
        Row("a token that is busy for ever", breaks: "a hub that nothing hinders answers requests") {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(20_000)
            $0.register("Cleo", "A", answer: 503, "busy")
        },
    ]
    @Test("names that members are shown", arguments: toldNames)
    func findsInToldNames(_ row: Row) { finds(row) }

    static let toldNames = [
        Row("a new name", breaks: nil) { $0.renameAnn(told: #""Zoe""#) },
        Row("a new name that is not shown", breaks: asItIs) { $0.renameAnn(told: nil) },
        Row("a new name that is removed", breaks: asItIs) { $0.renameAnn(told: "null") },
        Row("a connected player without a name", breaks: asItIs) {
            $0.join()
            $0.tell(
                Scene.ann,
                #"{"type":"presence","came":["ann","ben"],"went":[],"names":{"ann":"Ann"},"spectators":3}"#)
        },
        Row("a name that came with the greeting", breaks: nil) {
            $0.join()
            $0.tell(Scene.ann, #"{"type":"presence","came":["ann"],"went":[],"names":{},"spectators":3}"#)
        },
    ]
    private static let asItIs = "a player is shown by the present name"
    private static let aFreeName = "a name that was given up is free"
}

extension Scene {
    /// Ann, who is connected, is called Zoe from now on. `told` is her name in `presence`.
    fileprivate func renameAnn(told name: String?) {
        join()
        for page in 1...3 { tell(page, presence(["ann", "ben"], 3)) }
        rename("Zoe", answer: 200)
        let names = name.map { #""ann":\#($0)"# } ?? ""
        for page in 1...3 {
            tell(page, #"{"type":"presence","came":[],"went":[],"names":{\#(names)},"spectators":3}"#)
        }
        pass(1_000)
        model.cameToRest(at: time)
    }

    func register(_ name: String, _ token: String, answer status: Int, _ code: String = "") {
        http(
            "POST", "/api/players", #"{"name":"\#(name)","token":"\#(token)"}"#, answer: status,
            status == 201 ? #"{"id":"cleo","name":"\#(name)"}"# : "", code: code)
    }

    /// Ann changes her name.
    func rename(_ name: String, answer status: Int) {
        http(
            "PUT", "/api/players/me/name", #"{"name":"\#(name)"}"#, token: "A", answer: status,
            status == 200 ? #"{"id":"ann","name":"\#(name)"}"# : "")
    }
}
