import Hub

/// The nodes of a cluster, a row each: their current figures and the changes since `before`.
struct NodesTable {
    let before: [NodeReport]
    let after: [NodeReport]

    private static let names = ["rooms", "connections", "relayed", "links", "conflicts", "write p50", "p99"]
    private static let (nameWidth, stateWidth, width) = (16, 18, 12)

    var lines: [String] {
        [row("node", "heard of", Self.names)] + after.map { row($0.name, state(of: $0), cells(of: $0)) }
    }

    private func row(_ name: String, _ state: String, _ cells: [String]) -> String {
        // A long name moves its row instead of being cut.
        TopText.pad(name + " ", Self.nameWidth) + TopText.pad(state + " ", Self.stateWidth)
            + cells.map { TopText.right($0, Self.width) }.joined()
    }

    private func state(of node: NodeReport) -> String {
        guard let silence = node.silence else { return "NOT AT ALL" }
        guard node.isHeard else { return "NOT FOR \((silence + 500) / 1_000) s" }
        return node.isServing ? "now" : "now, but waits"
    }

    /// The last figures of a node that is not heard from would look current.
    private func cells(of node: NodeReport) -> [String] {
        guard node.isHeard, let figures = node.figures else { return Self.names.map { _ in "-" } }
        let others = after.filter { $0.isServing && $0.name != node.name }.count
        let old = before.first { $0.run == node.run }?.figures
        let writes = SpanDistribution(before: old?.appendBuckets ?? [], after: figures.appendBuckets)
        return [
            "\(figures.rooms)", "\(figures.connections)", "\(figures.relayed)",
            "\(node.links) of \(others)", "\(figures.conflicts)",
        ] + [0.5, 0.99].map { writes.quantile($0).map(TopText.span) ?? "-" }
    }
}
