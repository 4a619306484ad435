import RoomRules
import Rooms
import WebProtocols

/// The connections to a room that one node relays. A broadcast to them crosses the link once.
final class RelayGroup {
    let code: String
    /// The edge whose broadcasts it sends. Weak, since the room may sleep before its relay knows.
    private(set) weak var edge: RoomEdge?
    var memberCount = 0
    private let node: NodeName
    private let cluster: ServingNodes
    private var lastBroadcast: UInt64 = 0

    init(of edge: RoomEdge, _ code: String, at node: NodeName, _ cluster: ServingNodes) {
        (self.edge, self.code, self.node, self.cluster) = (edge, code, node, cluster)
    }

    func tell(_ message: RelayMessage) { cluster.send(.relay(code, message), to: node) }

    /// Called for each member that gets the broadcast. Only the first call sends it.
    func broadcast(_ frame: Frame, number: UInt64) {
        guard number != lastBroadcast else { return }
        lastBroadcast = number
        tell(.broadcast(Array(frame.payload)))
    }
}
