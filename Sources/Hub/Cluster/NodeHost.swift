/// Runs a node, and is notified of its stages on its first loop.
protocol NodeHost: AnyObject {
    /// How its operator reaches it; nil if there is no way.
    var operatorNote: OperatorNote? { get }
    /// Its figures; nil if no one looks at them.
    var figures: NodeFigures? { get }
    /// It serves rooms from now on: clients may come.
    func nodeJoined()
    /// These are the others, each of which it needs a link to.
    func link(to others: [NodeRun])
    /// It gives up what it serves from now on: clients are sent elsewhere.
    func nodeLeaves()
    /// It has left or was declared lost, and can be shut down.
    func nodeEnded()
}
