import Games
import JSON
import Testing

@testable import Hub

@Suite("A room: what members say") struct RoomMessageTests {
    @Test("a command repeated with its id is done once and gets the first answer")
    func twice() {
        let table = Table()
        let first = table.mover.command("flip", ["cell": .integer(0)], id: "same")
        let version = table.state.version
        #expect(table.mover.command("flip", ["cell": .integer(0)], id: "same") == first)
        #expect(table.state.version == version)
    }

    @Test("an answer waits for the greeting that brings its events")
    func behindTheGreeting() throws {
        let table = Table()
        let page = table.mover
        let other = page === table.annPage ? table.benPage : table.annPage
        func hello(_ page: ScriptedClient) {
            let player = page === table.annPage ? table.ann : table.ben
            page.say(["type": "hello", "token": .string(player.token)], settling: false)
        }
        page.clear()
        table.hub.log.pace = .stepped
        table.hub.log.putIn(.outcomeUnknown(written: true))
        page.command("flip", ["cell": .integer(0)], settling: false)
        table.hub.step()
        // The room reads its log again, and greets no one before that. Then it greets one after the other, and answers
        // what each has asked since.
        hello(other)
        other.command("here", settling: false)
        hello(page)
        table.hub.settle()
        let types = page.messages.compactMap { $0["type"]?.string }
        let answer = try #require(types.firstIndex(of: "ok"))
        #expect(try #require(types.firstIndex(of: "welcome")) < answer)
    }

    @Test("ids are bytes: two encodings of a letter are two commands")
    func twoWritings() {
        let table = Table()
        let version = table.state.version
        let page = table.mover
        let answers = ["\u{E9}", "e\u{301}"].enumerated().map { index, id in
            page.command("flip", ["cell": .integer(index)], id: id)?["v"]?.integer
        }
        #expect(answers[0] == version + 1 && answers[1] ?? 0 > version + 1)
    }

    struct Refused: CustomTestStringConvertible {
        let what: String
        let message: Fields
        let code: String
        init(_ what: String, _ message: Fields, _ code: String) {
            (self.what, self.message, self.code) = (what, message, code)
        }
        var testDescription: String { what }
    }

    @Test(
        "is refused, and changes nothing",
        arguments: [
            Refused("another's turn", ["type": "flip", "id": "x", "cell": .integer(0)], "not-your-turn"),
            Refused("no such command", ["type": "fly", "id": "x"], "unknown-type"),
            Refused("a command without an id", ["type": "flip", "cell": .integer(0)], "bad-field"),
            Refused("a long id", ["type": "sit", "id": .string(String(repeating: "x", count: 41))], "bad-field"),
            Refused("an empty id", ["type": "sit", "id": ""], "bad-field"),
            Refused("no type", ["id": "x"], "bad-field"),
            Refused("a type that is a number", ["type": .integer(1), "id": "x"], "bad-field"),
            Refused("a seat that is text", ["type": "sit", "id": "x", "seat": "one"], "bad-field"),
            Refused("a seat off the table", ["type": "sit", "id": "x", "seat": .integer(99)], "no-such-seat"),
            Refused("start by a guest", ["type": "start", "id": "x"], "not-host"),
            Refused("options by a guest", ["type": "options", "id": "x", "options": .object([:])], "not-host"),
            Refused("close by a guest", ["type": "close", "id": "x"], "not-host"),
        ])
    func refuses(_ refused: Refused) {
        let table = Table()
        let version = table.state.version
        table.benPage.say(refused.message)
        #expect(table.benPage.last("error")?["code"]?.string == refused.code)
        // With its id, if it has a valid one.
        #expect(table.benPage.last("error")?["id"] == (refused.message["id"] == "x" ? "x" : nil))
        #expect(table.state.version == version)
        #expect(table.benPage.closed == nil)
    }

    @Test(
        "invalid messages are answered and the connection stays",
        arguments: ["", "{", "[]", "nonsense", "{\"type\":\"flip\"", "\"text\"", "{\"type\":\"hello\",\"token\":5}"])
    func noMessage(_ text: String) {
        let table = Table()
        table.benPage.say(Array(text.utf8))
        #expect(table.benPage.messages.last?["type"] == "error")
        #expect(table.benPage.closed == nil)
    }

    @Test("commands before hello, and of those without a name, are refused")
    func strangers() {
        let table = Table()
        let page = table.hub.connect(table.code)
        #expect(page.command("sit")?["code"] == "hello-first")
        #expect(table.watcher.command("sit")?["code"] == "no-name")
        #expect(table.watcher.command("say", ["text": "x"])?["code"] == "no-name")
        let stranger = table.hub.join(table.code, ScriptedPlayer(name: "", id: "", token: "wrong"))
        #expect(stranger.last("error")?["code"] == "unknown-token")
        #expect(stranger.last("welcome") != nil)
    }
}
