import Games

/// What players have done at an edge while no home heard of it, and that counts though it is over: that they were
/// there, and are back where a computer had their seat. Each once, whoever does it how often.
struct MissedReports {
    /// Most that are kept of each of the two, as many as a home remembers of those who have gone; what is past it
    /// counts as not done.
    static let limit = 1_000

    /// In the order in which each was done first.
    private struct Reports {
        private(set) var all: [AttendanceReport] = []
        private var known: Set<AttendanceReport> = []

        mutating func note(_ report: AttendanceReport) {
            if all.count < MissedReports.limit, known.insert(report).inserted { all.append(report) }
        }
    }

    private var visits = Reports()
    private var returns = Reports()

    var isEmpty: Bool { visits.all.isEmpty && returns.all.isEmpty }

    /// The others are known by who is there when a home asks.
    mutating func note(_ report: AttendanceReport) {
        switch report {
        case .came: visits.note(report)
        case .greeted, .spoke: returns.note(report)
        case .opened, .closed, .went, .watching: break
        }
    }

    /// What a home is told that knows who is there by now: whoever has come has been there, and may not be any more.
    mutating func take() -> [AttendanceReport] {
        defer { self = MissedReports() }
        let visited = visits.all.flatMap { report in
            if case .came(let player, _) = report { [report, .went(player)] } else { [report] }
        }
        return visited + returns.all
    }
}
