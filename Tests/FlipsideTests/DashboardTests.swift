import Foundation
import Testing

@testable import Hub
@testable import Rooms

/// The Grafana dashboard shows the hub's metrics under their names.
@Suite("The dashboard") struct DashboardTests {
    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable {
                let expr: String
                let legendFormat: String
            }

            struct Place: Decodable { let x, y, w, h: Int }

            let id: Int
            let title: String
            let gridPos: Place
            let targets: [Target]?
        }

        let panels: [Panel]
    }

    private static let metrics = Metrics(
        counters: [HubCounters()], clock: HubClock(SystemTime(), startingAt: 0, logger: .init(label: "dashboard"))
    ).figures.map(\.metric)

    private func dashboard() throws -> Dashboard {
        let text = try Project.text("scripts/grafana-dashboard.json")
        return try JSONDecoder().decode(Dashboard.self, from: Data(text.utf8))
    }

    @Test("each expression uses existing metrics, and histograms by bucket bounds or count")
    func names() throws {
        let targets = try dashboard().panels.flatMap { $0.targets ?? [] }
        #expect(targets.count > 30)
        for target in targets {
            let names = target.expr.matches(of: /\b(?:flipside|process)_[a-z_]+/).map { String($0.output) }
            #expect(!names.isEmpty, "\(target.expr)")
            for name in names {
                let metric =
                    Self.metrics.first { $0.name == name.replacing(/_(bucket|count|sum)$/, with: "") }
                    ?? Self.metrics.first { $0.name == name }
                guard let metric else {
                    Issue.record("no hub has the metric `\(name)` of \(target.expr)")
                    continue
                }
                #expect((metric.kind == .histogram) == (metric.name != name), "\(name) in \(target.expr)")
                #expect(target.expr.contains("by (le") == name.hasSuffix("_bucket"), "\(target.expr)")
                #expect(target.expr.contains("histogram_quantile(") == name.hasSuffix("_bucket"), "\(target.expr)")
                // Only the growth of a counter says something.
                #expect(target.expr.contains(/\b(rate|increase)\(/) == (metric.kind != .gauge), "\(target.expr)")
                let labels = ["le", "instance"] + [metric.label].compactMap { $0 }
                for asked in labelsAsked(by: target) {
                    #expect(labels.contains(asked), "\(name) has no label `\(asked)`")
                }
            }
        }
    }

    /// The labels that it sums by, and those that the legend shows.
    private func labelsAsked(by target: Dashboard.Panel.Target) -> [String] {
        let sums = target.expr.matches(of: /by \(([^)]*)\)/).flatMap { $0.output.1.split(separator: ", ") }
        return (sums + target.legendFormat.matches(of: /{{(\w+)}}/).map(\.output.1)).map(String.init)
    }

    @Test("each metric of the hub is shown")
    func isWhole() throws {
        let text = try Project.text("scripts/grafana-dashboard.json")
        for metric in Self.metrics where metric.name != "process_virtual_memory_bytes" {
            #expect(text.contains(metric.name), "no panel shows \(metric.name)")
        }
    }

    @Test("no panel overlaps another, and no two have the same id")
    func places() throws {
        let panels = try dashboard().panels
        #expect(Set(panels.map(\.id)).count == panels.count)
        for (index, one) in panels.map(\.gridPos).enumerated() {
            #expect(one.x >= 0 && one.x + one.w <= 24)
            for other in panels.map(\.gridPos)[(index + 1)...] {
                let areApart = one.x + one.w <= other.x || other.x + other.w <= one.x || one.y + one.h <= other.y
                #expect(areApart || other.y + other.h <= one.y, "\(one) and \(other)")
            }
        }
    }
}
