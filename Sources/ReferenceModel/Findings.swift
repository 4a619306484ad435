/// Keeps the first promise that was broken.
final class Findings {
    private(set) var broken: BrokenPromise?

    /// That `holds`, by a rule that is called so; `detail` is asked for only if it does not.
    @inline(__always)
    func expect(_ holds: Bool, _ rule: @autoclosure () -> String, _ detail: @autoclosure () -> String) {
        if !holds { note(rule(), detail()) }
    }

    func note(_ rule: String, _ detail: String) {
        if broken == nil { broken = BrokenPromise(rule, detail) }
    }
}
