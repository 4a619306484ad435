import Games

/// What players have done at an edge while no home heard of it, and that counts though it is over: that they were
/// there, and are back where a computer had their seat. Each once, whoever does it how often.
struct MissedReports {
    /// Most that are kept, as many as a home remembers of those who have gone; what is past it counts as not done.
    static let limit = 1_000

    private var reports: [AttendanceReport] = []

    /// The others are known by who is there when a home asks.
    mutating func note(_ report: AttendanceReport) {
        switch report {
        case .came, .greeted, .spoke:
            if reports.count < Self.limit, !reports.contains(report) { reports.append(report) }
        case .opened, .closed, .went, .watching: break
        }
    }

    /// What a home is told that knows who is there by now: whoever has come has been there, and may not be any more.
    mutating func take() -> [AttendanceReport] {
        defer { reports = [] }
        return reports.flatMap { report in
            if case .came(let player, _) = report { [report, .went(player)] } else { [report] }
        }
    }
}
