import ReferenceModel

extension BrokenPromiseTests {
    static let commands = [
        Row("a reaction of a muted player", breaks: "ok without events says that there was nothing to do") {
            $0.join()
            $0.done(
                Scene.ann, "ann", #""type":"mute","player":"ben","on":true"#,
                [#""type":"player-muted","player":"ben","on":true"#])
            let id = $0.ask(Scene.ben, #""type":"react","emoji":"👍""#)
            $0.tell(Scene.ben, #"{"type":"ok","id":"\#(id)","v":\#($0.version)}"#)
        },
        Row("a seat given twice", breaks: "nothing forbidden is done") {
            $0.join()
            $0.done(Scene.ann, "ann", #""type":"sit","seat":0"#, [#""type":"seat-taken","seat":0,"player":"ann""#])
            let id = $0.ask(Scene.ben, #""type":"sit","seat":0"#)
            $0.record("ben/\(id)", [#""type":"seat-taken","seat":0,"player":"ben""#])
        },
        Row("a different seat than requested", breaks: leadsTo) {
            $0.join()
            let id = $0.ask(Scene.ben, #""type":"sit","seat":0"#)
            $0.record("ben/\(id)", [#""type":"seat-taken","seat":1,"player":"ben""#])
        },
        Row("a host's command by another player", breaks: "nothing forbidden is done") {
            $0.join()
            let id = $0.ask(Scene.ben, #""type":"visibility","visibility":"unlisted""#)
            $0.record("ben/\(id)", [#""type":"visibility-changed","visibility":"unlisted""#])
        },
        Row("a ban that keeps the player's seat", breaks: leadsTo) {
            $0.join()
            $0.done(Scene.ben, "ben", #""type":"sit""#, [#""type":"seat-taken","seat":0,"player":"ben""#])
            let id = $0.ask(Scene.ann, #""type":"ban","player":"ben""#)
            $0.record("ann/\(id)", [#""type":"player-banned","player":"ben","on":true"#])
        },
        Row("a ban that frees the player's seat", breaks: nil) {
            $0.join()
            $0.done(Scene.ben, "ben", #""type":"sit""#, [#""type":"seat-taken","seat":0,"player":"ben""#])
            $0.done(
                Scene.ann, "ann", #""type":"ban","player":"ben""#,
                [
                    #""type":"player-banned","player":"ben","on":true"#,
                    #""type":"seat-freed","seat":0,"player":"ben","reason":"banned""#,
                ])
        },
        Row("half of a commit", breaks: leadsTo) {
            $0.play()
            let id = $0.ask(Scene.ann, #""type":"drop","column":3"#)
            $0.record("ann/\(id)", [#""type":"drop-disc","cell":38,"seat":0"#])
        },
        Row("a move out of turn", breaks: "nothing forbidden is done") {
            $0.play()
            let id = $0.ask(Scene.ben, #""type":"drop","column":3"#)
            $0.record("ben/\(id)", $0.drop(38, by: 1))
        },
        Row("a move of a computer that does not exist", breaks: "a computer only moves at its own seats") {
            $0.play()
            $0.record("hub/r/computer/0/5", $0.drop(38, by: 0))
        },
        Row("ok before its events", breaks: "ok comes after its events") {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#])
            $0.tell(Scene.ann, #"{"type":"ok","id":"\#(id)","v":2}"#)
        },
        Row("ok with another version", breaks: "ok has the version of the last event") {
            $0.play()
            let id = $0.ask(Scene.ann, #""type":"drop","column":3"#)
            $0.record("ann/\(id)", $0.drop(38, by: 0))
            $0.show(Scene.ann, from: 6)
            $0.tell(Scene.ann, #"{"type":"ok","id":"\#(id)","v":6}"#)
        },
        Row("ok without doing it", breaks: "ok without events says that there was nothing to do") {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.tell(Scene.ann, #"{"type":"ok","id":"\#(id)","v":1}"#)
        },
        Row("an answer without a command", breaks: "an answer is to a command") {
            $0.join()
            $0.tell(Scene.ann, #"{"type":"ok","id":"x","v":1}"#)
        },
        Row("an answer twice", breaks: "an answer is to a command") {
            $0.play()
            $0.tell(Scene.ann, #"{"type":"ok","id":"c1","v":2}"#)
        },
        Row("no answer", breaks: "a command is answered") {
            $0.join()
            $0.ask(Scene.ann, #""type":"here""#)
            $0.model.cameToRest(at: $0.time)
        },
        Row("refused without a reason", breaks: "only impossible commands are refused") {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.tell(Scene.ann, #"{"type":"error","id":"\#(id)","code":"room-full","message":"no"}"#)
        },
        Row("refused for a reason that is over", breaks: nil) {
            $0.join()
            let id = $0.ask(Scene.ben, #""type":"leave""#)
            $0.done(Scene.ben, "ben", #""type":"sit""#, [#""type":"seat-taken","seat":0,"player":"ben""#])
            $0.tell(Scene.ben, #"{"type":"error","id":"\#(id)","code":"not-seated","message":"no"}"#)
        },
        Row("refused and done", breaks: "a refused command changes nothing") {
            $0.join()
            let id = $0.ask(Scene.ann, #""type":"sit""#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#])
            $0.tell(Scene.ann, #"{"type":"error","id":"\#(id)","code":"seat-taken","message":"no"}"#)
        },
        Row("a command of a forgotten player, after hellos that one greeting answers", breaks: nil) {
            $0.join()
            for _ in 1...2 { $0.say(Scene.ann, #"{"type":"hello","token":"A","after":1}"#) }
            $0.tell(Scene.ann, $0.resume(as: "ann", "Ann"))
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            let id = $0.ask(Scene.ann, #""type":"sit","seat":0"#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#])
        },
        Row("a command of another player after waiting hellos", breaks: notAsked) {
            $0.join()
            for _ in 1...2 { $0.say(Scene.ann, #"{"type":"hello","token":"B","after":1}"#) }
            $0.tell(Scene.ann, $0.resume(as: "ben", "Ben"))
            let id = $0.ask(Scene.ann, #""type":"sit","seat":0"#)
            $0.record("ann/\(id)", [#""type":"seat-taken","seat":0,"player":"ann""#])
        },
        Row("an answer left out after a crash", breaks: nil) {
            $0.join()
            $0.ask(Scene.ann, #""type":"here""#)
            $0.model.hubDied()
            $0.model.hubStarted(loops: 1, lastPlayed: nil, now: $0.time)
            $0.model.cameToRest(at: $0.time)
        },
    ]
    private static let notAsked = "an event was asked for, or is the room's or a computer's"
    private static let leadsTo = "a command has the result in the protocol"

    static let clocks = [
        Row("a clock that runs as it may", breaks: nil) {
            $0.model.timePassed(to: $0.time, uptime: 0)
            $0.model.timePassed(to: $0.time + 10_100, uptime: 10_000)
        },
        Row("a clock that follows one that was set", breaks: "hub time runs within 1 % of real time") {
            $0.model.timePassed(to: $0.time, uptime: 0)
            $0.model.timePassed(to: $0.time + 60_000, uptime: 10_000)
        },
        Row("a start that records no outage", breaks: "time in which no hub ran is an outage of all rooms") {
            $0.model.hubDied()
            $0.model.hubStarted(loops: 1, lastPlayed: $0.time - 5_000, now: $0.time)
        },
        Row("a start that records its outage", breaks: nil) {
            $0.model.hubDied()
            $0.recordOutage(from: $0.time - 5_000, to: $0.time, "")
            $0.model.hubStarted(loops: 1, lastPlayed: $0.time - 5_000, now: $0.time)
        },
        Row("an outage of all rooms while a hub serves", breaks: "a room that could be played has no outage") {
            $0.recordOutage(from: $0.time - 5_000, to: $0.time, "")
        },
        Row("a turn that runs out", breaks: nil) {
            $0.play()
            $0.pass(30_000)
            $0.record("hub/r/5", $0.expired())
        },
        Row("a turn that runs out early", breaks: "nothing that is due comes early") {
            $0.play()
            $0.pass(29_999)
            $0.record("hub/r/5", $0.expired())
        },
        Row("a turn that does not run out", breaks: "everything due is done") {
            $0.play()
            $0.pass(30_000)
            for page in 1...3 { $0.tell(page, $0.presence(["ann", "ben"], 1)) }
            $0.model.cameToRest(at: $0.time)
        },
        Row("a turn that does not run out while no one is connected", breaks: "everything due is done") {
            $0.play()
            $0.leave()
            $0.pass(45_000)
            $0.model.loopsTurned(at: $0.time)
        },
        Row("a turn that runs out late because the hub was blocked", breaks: nil) {
            $0.play()
            $0.leave()
            $0.pass(31_000)
            $0.model.hubHindered()
            $0.pass(14_000)
            $0.model.loopsTurned(at: $0.time)
        },
        Row("an outage that is not counted", breaks: uncounted) {
            $0.play()
            $0.outage(for: 1_000)
            $0.pass(30_000)
            $0.record("hub/r/5", $0.expired())
        },
        Row("an outage that is counted", breaks: nil) {
            $0.play()
            $0.outage(for: 1_000)
            $0.record("hub/r/5", [$0.extended(by: 1_000)])
            $0.showAll()
        },
        Row("an outage that is counted twice", breaks: extended) {
            $0.play()
            $0.outage(for: 1_000)
            $0.record("hub/r/5", [$0.extended(by: 1_000)])
            $0.record("hub/r/6", [$0.extended(by: 1_000)])
        },
        Row("more than the outage", breaks: extended) {
            $0.play()
            $0.outage(for: 1_000)
            $0.record("hub/r/5", [$0.extended(by: 1_001)])
        },
    ]
    private static let uncounted = "time in which a room could not be played does not count"
    private static let extended = "a clock is extended by the time in which the room could not be played"

    static let accounts = [
        Row("a forgotten name", breaks: "no message has a forgotten name") {
            $0.join()
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.model.cameToRest(at: $0.time)
            $0.tell(Scene.ben, #"{"type":"presence","came":[],"went":[],"names":{"ann":"Ann"},"spectators":0}"#)
        },
        Row("a forgotten token", breaks: "a greeting is for the player whose token was given") {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.pass(3_000)
            $0.greet(Scene.ann, "A", as: "ann")
        },
        Row("a token that was forgotten a moment ago", breaks: "no message has a forgotten name") {
            $0.http("DELETE", "/api/players/me", token: "A", answer: 204)
            $0.greet(Scene.ann, "A", as: "ann")
            $0.pass(3_000)
            $0.tell(Scene.ann, $0.presence(named: "Ann"))
        },
        Row("a name of two players", breaks: "a name is one player's") {
            $0.http(
                "POST", "/api/players", #"{"name":"Ann","token":"C"}"#, answer: 201, #"{"id":"cy","name":"Ann"}"#)
        },
        Row("a name after it was given up", breaks: nil) {
            $0.http(
                "PUT", "/api/players/me/name", #"{"name":"Zoe"}"#, token: "A", answer: 200,
                #"{"id":"ann","name":"Zoe"}"#)
            $0.http(
                "POST", "/api/players", #"{"name":"Ann","token":"C"}"#, answer: 201, #"{"id":"cy","name":"Ann"}"#)
        },
        Row("an earlier name", breaks: "a player is shown by the present name") {
            $0.join()
            $0.http(
                "PUT", "/api/players/me/name", #"{"name":"Zoe"}"#, token: "A", answer: 200,
                #"{"id":"ann","name":"Zoe"}"#)
            $0.model.cameToRest(at: $0.time)
            $0.tell(Scene.ben, #"{"type":"presence","came":["ann"],"went":[],"names":{"ann":"Ann"},"spectators":0}"#)
        },
    ]
}

extension Scene {
    /// Ann has lost on time, after this many turns of each.
    func expired(turns: Int = 0) -> [String] {
        let results =
            #"[{"seat":0,"player":"ann","score":0,"place":2,"turns":\#(turns),"time":\#(time - 1_700_000_000_000)},"#
            + #"{"seat":1,"player":"ben","score":1,"place":1,"turns":\#(turns),"time":\#(time - 1_700_000_000_000)}]"#
        let seed = String(repeating: "01", count: 32)
        return [
            #""type":"turn-expired","seat":0"#,
            #""type":"game-ended","game":"connect-four","mode":"7x6","number":1,"results":\#(results),"reason":"time","#
                + (turns == 0 ? #""unplayed":true,"# : "")
                + #""reveal":{"seed":"\#(seed)","nonces":[]},"commitment":"SEED""#,
        ]
    }

    /// A `resume` at the newest version.
    func resume(as player: String, _ name: String) -> String {
        #"{"type":"resume","version":\#(version),"head":"\#(headText)","now":\#(time),"#
            + #""you":{"isHost":\#(player == "ann"),"player":"\#(player)","name":"\#(name)"},"#
            + #""names":{"\#(player)":"\#(name)"},"presence":{"players":[],"spectators":0},"chat":[]}"#
    }

    /// The hub is blocked.
    func outage(for span: Int) {
        let from = time
        pass(span)
        recordOutage(from: from, to: time, #","loop":0,"loops":1"#)
    }

    func extended(by span: Int) -> String {
        #""type":"clock-extended","ms":\#(span),"until":\#(time),"deadline":\#(time - span + 30_000 + span)"#
    }
}
