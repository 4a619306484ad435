/// Keeps the first broken promise.
final class Findings {
    private(set) var broken: BrokenPromise?

    /// Notes a broken `rule` unless `holds`. Only then is `detail` evaluated.
    @inline(__always)
    func expect(_ holds: Bool, _ rule: @autoclosure () -> String, _ detail: @autoclosure () -> String) {
        if !holds { recordBreach(rule(), detail()) }
    }

    func recordBreach(_ rule: String, _ detail: String) {
        if broken == nil { broken = BrokenPromise(rule, detail) }
    }
}

/// A check that says where something is broken.
protocol PlacedCheck {
    var findings: Findings { get }
    var place: String { get }
}

extension PlacedCheck {
    /// As `Findings.expect`, with the place before `detail`.
    func expect(_ holds: Bool, _ rule: @autoclosure () -> String, _ detail: @autoclosure () -> String) {
        findings.expect(holds, rule(), "\(place): \(detail())")
    }

    func recordBreach(_ rule: String, _ detail: String) { findings.recordBreach(rule, "\(place): \(detail)") }
}
