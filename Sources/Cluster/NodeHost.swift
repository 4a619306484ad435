import JSON
import RoomRules

/// Runs a node, and is notified of its stages on its first loop.
public protocol NodeHost: AnyObject {
    /// How operators reach it, in their own form; nil if they cannot.
    var operatorDoor: Fields? { get }
    /// Its figures for operators; nil if none read them.
    var figures: Fields? { get }
    /// Whether it serves rooms from now on. If not it gives up its own, and clients are sent elsewhere.
    func nodeServes(_ serves: Bool)
    /// The other nodes, each of which needs a link.
    func link(to others: [NodeRun])
    /// It has left or was declared lost, and can be shut down.
    func nodeEnded()
}
