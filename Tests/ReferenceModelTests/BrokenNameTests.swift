import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("names and tokens that are free again", arguments: freeNames)
    func findsInNames(_ row: Row) { finds(row) }

    static let freeNames = [
        Row("a name that somebody has", breaks: nil) { $0.register("Ann", "C", answer: 409, "name-taken") },
        Row("a name before another one", breaks: aFreeName) {
            $0.rename("Anna", answer: 200)
            $0.register("Ann", "C", answer: 409, "name-taken")
        },
        Row("a name before one that may be another", breaks: nil) {
            $0.rename("Anna", answer: 503)
            $0.register("Ann", "C", answer: 409, "name-taken")
        },
        Row("a name of somebody who was forgotten", breaks: aFreeName) {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.register("Ann", "C", answer: 409, "name-taken")
        },
        Row("a name that somebody may have taken", breaks: nil) {
            $0.rename("Anna", answer: 200)
            $0.register("Ann", "C", answer: 503)
            $0.register("Ann", "D", answer: 409, "name-taken")
        },
        Row("a name that somebody asks for just now", breaks: nil) {
            $0.rename("Anna", answer: 200)
            $0.model.requested(
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
        Row("a token of somebody who was forgotten", breaks: nil) {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(20_000)
            $0.register("Cleo", "A", answer: 201)
        },
        Row("a token that is busy for ever", breaks: "a hub that nothing hinders answers what it is asked") {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(20_000)
            $0.register("Cleo", "A", answer: 503, "busy")
        },
    ]
    private static let aFreeName = "a name that was given up is free"
}

extension Scene {
    func register(_ name: String, _ token: String, answer status: Int, _ code: String = "") {
        http(
            "POST", "/api/players", #"{"name":"\#(name)","token":"\#(token)"}"#, answer: status,
            status == 201 ? #"{"id":"cleo","name":"\#(name)"}"# : "", code: code)
    }

    /// Ann asks for another name.
    func rename(_ name: String, answer status: Int) {
        http(
            "PUT", "/api/players/me/name", #"{"name":"\#(name)"}"#, token: "A", answer: status,
            status == 200 ? #"{"id":"ann","name":"\#(name)"}"# : "")
    }
}
