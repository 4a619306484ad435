import ReferenceModel
import Testing

extension BrokenPromiseTests {
    @Test("connections that the hub ends", arguments: closings)
    func findsInClosings(_ row: Row) { finds(row) }

    static let closings = [
        Row("a member who reads, as one who does not", breaks: closing) { $0.end(1013) },
        Row("a member who does not read", breaks: nil) {
            $0.end(1013) { $0.model.reads(Scene.ann, false) }
        },
        Row("a member who has begun to read just now", breaks: nil) {
            $0.end(1013) {
                $0.model.reads(Scene.ann, false)
                $0.pass(40_000)
                $0.model.reads(Scene.ann, true)
            }
        },
        Row("a member who says much, as one who takes no answers", breaks: nil) {
            $0.end(1013) { scene in for number in 1...64 { scene.say(Scene.ann, #"{"type":"ping","n":\#(number)}"#) } }
        },
        Row("a member who has said much long ago", breaks: closing) {
            $0.end(1013) { scene in
                for number in 1...65 {
                    scene.say(Scene.ann, #"{"type":"ping","n":\#(number)}"#)
                    scene.tell(Scene.ann, #"{"type":"pong","n":\#(number),"now":\#(scene.time)}"#)
                }
                scene.pass(120_000)
            }
        },
        Row("a member whose name cannot be looked up", breaks: nil) { $0.end(1013) { $0.model.hindered() } },
        Row("a member who breaks no rule", breaks: closing) { $0.end(1008) },
        Row("a member whose token is nobody's", breaks: nil) {
            $0.end(1008) { $0.say(Scene.ann, #"{"type":"hello","token":"X"}"#) }
        },
        Row("somebody who says nothing", breaks: nil) { $0.endSilent(after: 30_000) },
        Row("somebody who has said nothing yet", breaks: closing) { $0.endSilent(after: 29_999) },
        Row("somebody in no room", breaks: nil) {
            $0.model.opened(Scene.ann, room: "xxxxxx")
            $0.model.closed(Scene.ann, code: 1008)
        },
        Row("a member of a room whose log is well", breaks: closing) { $0.end(1011) },
        Row("a code that the protocol does not know", breaks: closing) { $0.end(1000) },
        Row("a hub that stops", breaks: nil) { $0.end(1012) },
        Row("a page of the lobby that reads", breaks: closing) {
            $0.lookOn()
            $0.pass(10_001)
            $0.model.closed(Scene.lobby, code: 1013)
        },
        Row("a page for which the lobby has no place", breaks: nil) {
            $0.pass(20_000)
            $0.model.opened(Scene.lobby, room: nil)
            $0.model.closed(Scene.lobby, code: 1013)
        },
    ]
    private static let closing = "a connection is closed for a reason in the protocol"
}

extension Scene {
    /// Ann's connection is ended with this code behind `event`, long after anything was the matter with the hub.
    fileprivate func end(_ code: Int, behind event: (Scene) -> Void = { _ in }) {
        join()
        pass(20_000)
        event(self)
        model.closed(Self.ann, code: code)
    }

    fileprivate func endSilent(after span: Int) {
        pass(20_000)
        model.opened(Self.ann, room: code)
        pass(span)
        model.closed(Self.ann, code: 1008)
    }
}
