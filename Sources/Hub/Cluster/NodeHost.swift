/// Who runs a node: told what becomes of it, on its first loop.
protocol NodeHost: AnyObject {
    /// How whoever runs it reaches it; nil: not at all.
    var operatorNote: OperatorNote? { get }
    /// What it does; nil where nobody looks.
    var figures: NodeFigures? { get }
    /// It serves rooms from now on: clients may come.
    func nodeJoined()
    /// These are the others, each of which it needs a link to.
    func link(to others: [NodeRun])
    /// It gives up what it serves from now on: clients are sent elsewhere.
    func nodeLeaves()
    /// It has left, or others have taken it for lost: nothing of it is of use any more.
    func nodeEnded()
}
