import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("connections that the hub closes", arguments: closings)
    func findsInClosings(_ row: Row) { finds(row) }

    static let closings = [
        Row("a member that reads, as if it did not", breaks: closing) { $0.end(1013) },
        Row("a member that does not read", breaks: nil) {
            $0.end(1013) { $0.model.reads(Scene.ann, false) }
        },
        Row("a member that has just started to read", breaks: nil) {
            $0.end(1013) {
                $0.model.reads(Scene.ann, false)
                $0.pass(40_000)
                $0.model.reads(Scene.ann, true)
            }
        },
        Row("a member that sends much, as if it took no answers", breaks: nil) {
            $0.end(1013) { scene in for number in 1...64 { scene.say(Scene.ann, #"{"type":"ping","n":\#(number)}"#) } }
        },
        Row("a member that sent much long ago", breaks: closing) {
            $0.end(1013) { scene in
                for number in 1...65 {
                    scene.say(Scene.ann, #"{"type":"ping","n":\#(number)}"#)
                    scene.tell(Scene.ann, #"{"type":"pong","n":\#(number),"now":\#(scene.time)}"#)
                }
                scene.pass(120_000)
            }
        },
        Row("a member whose name cannot be looked up", breaks: nil) { $0.end(1013) { $0.model.hubHindered() } },
        Row("a member who breaks no rule", breaks: closing) { $0.end(1008) },
        Row("a member whose token has no player", breaks: nil) {
            $0.end(1008) { $0.say(Scene.ann, #"{"type":"hello","token":"X"}"#) }
        },
        Row("a client that sends nothing", breaks: nil) { $0.endSilent(after: 30_000) },
        Row("a client that has sent nothing yet", breaks: closing) { $0.endSilent(after: 29_999) },
        Row("a client in an unknown room", breaks: nil) {
            $0.model.connectionOpened(Scene.ann, room: "xxxxxx")
            $0.model.connectionClosed(Scene.ann, code: 1008)
        },
        Row("a member of a room with a sound log", breaks: closing) { $0.end(1011) },
        Row("a code that is not in the protocol", breaks: closing) { $0.end(1000) },
        Row("a hub that stops", breaks: nil) { $0.end(1012) },
        Row("a page of the lobby that reads", breaks: closing) {
            $0.lookOn()
            $0.pass(10_001)
            $0.model.connectionClosed(Scene.lobby, code: 1013)
        },
        Row("a page that does not fit into the lobby", breaks: nil) {
            $0.pass(20_000)
            $0.model.connectionOpened(Scene.lobby, room: nil)
            $0.model.connectionClosed(Scene.lobby, code: 1013)
        },
    ]
    private static let closing = "a connection is closed for a reason in the protocol"
}

extension Scene {
    /// Ann's connection is closed with this code after `event`, long after the hub was hindered.
    fileprivate func end(_ code: Int, behind event: (Scene) -> Void = { _ in }) {
        join()
        pass(20_000)
        event(self)
        model.connectionClosed(Self.ann, code: code)
    }

    fileprivate func endSilent(after span: Int) {
        pass(20_000)
        model.connectionOpened(Self.ann, room: code)
        pass(span)
        model.connectionClosed(Self.ann, code: 1008)
    }
}
