import Games

// Time in which no node judged the room: it counts against nobody.
extension RoomHome {
    /// From now on this home judges.
    func endVacancy() {
        let now = surroundings.now
        if let since = vacantSince, since < now { vacancies.append(Outage(from: since, until: now)) }
        vacantSince = nil
    }

    /// Since when something counts against nobody that is not in the log yet, for the next home; nil: nothing does.
    var uncountedSince: Milliseconds? { earlier(vacantSince, vacancies.map(\.from).min()) }
}
