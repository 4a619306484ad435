import RoomRules

/// Runs a node, and is notified of its stages on its first loop.
protocol NodeHost: AnyObject {
    /// How operators reach it; nil if they cannot.
    var operatorNote: OperatorNote? { get }
    /// Its figures; nil if no one reads them.
    var figures: NodeFigures? { get }
    /// It serves rooms from now on, and clients may come.
    func nodeJoined()
    /// The other nodes, each of which needs a link.
    func link(to others: [NodeRun])
    /// It gives up its rooms from now on, and clients are sent elsewhere.
    func nodeLeaves()
    /// It has left or was declared lost, and can be shut down.
    func nodeEnded()
}
