import EventStore
import Hub

/// All nodes on a log in PostgreSQL, with details of the first one on this machine.
final class ClusterView: TopView {
    let name: String
    private let address: String
    /// Nil after a failure, until it is opened again.
    private var reports: NodeReports?
    private var before: [NodeReport]
    private var own: OwnNode?

    private struct OwnNode {
        let report: NodeReport
        let view: HubView
    }

    init(of log: LogOptions, at address: String) throws {
        (name, self.address) = (try log.address().shown, address)
        let reports: NodeReports
        do {
            reports = try NodeReports(on: address)
            before = try reports.read()
        } catch { throw CommandLineError(sentence(error)) }
        self.reports = reports
        // Throws the error for it.
        if before.isEmpty { _ = try log.operatorNote() }
        findOwn(among: before)
    }

    func lines() throws -> [String] {
        var lines: [String]
        do {
            let reports = try reports ?? NodeReports(on: address)
            self.reports = reports
            let after = try reports.read()
            lines = NodesTable(before: before, after: after).lines
            before = after
            findOwn(among: after)
        } catch {
            // Nodes of this machine can still be asked.
            reports = nil
            lines = ["The nodes are not known: \(sentence(error))."]
        }
        guard let own else { return lines + ["", "None of them answers on this machine."] }
        return lines + ["", "\(own.report.name), on this machine", ""] + own.view.shown
    }

    /// Keeps the node that is shown as long as it runs.
    private func findOwn(among nodes: [NodeReport]) {
        let here = nodes.filter { $0.isHeard && $0.operatorNote != nil }
        if let own, here.contains(where: { $0.run == own.report.run }) { return }
        // A node that does not answer is not shown here. Its row has what is known of it.
        own =
            here.lazy.compactMap { node in
                guard let note = node.operatorNote, let view = try? HubView(AskedHub(name: node.name, note: note))
                else { return nil }
                return OwnNode(report: node, view: view)
            }.first
    }
}

extension HubView {
    /// Its lines, or why there are none.
    fileprivate var shown: [String] { do { return try lines() } catch { return ["\(error)"] } }
}
