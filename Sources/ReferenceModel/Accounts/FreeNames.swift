/// Names that somebody has given up and nobody has taken since, as far as requests and answers say it.
struct FreeNames {
    private var free: Set<String> = []
    /// How many requests for a name are under way.
    private var wanted: [String: Int] = [:]
    /// Requests for names that are free, which nobody else has asked for since they began.
    private var alone: [Int: String] = [:]

    /// Its player has another one, or none. Whoever asks for it just now may have it.
    mutating func giveUp(_ name: String) { if wanted[name] == nil { free.insert(name) } }

    /// What was given up may be somebody's again.
    mutating func forget() { (free, alone) = ([], [:]) }

    mutating func requested(_ number: Int, _ name: String) {
        for other in alone.filter({ $0.value == name }).keys { alone[other] = nil }
        if wanted[name] == nil, free.contains(name) { alone[number] = name }
        wanted[name, default: 0] += 1
    }

    /// Whether a name was refused as another's that was free all the time.
    mutating func responded(_ number: Int, _ name: String, status: Int, code: String?) -> Bool {
        if let count = wanted[name] { wanted[name] = count > 1 ? count - 1 : nil }
        // What could not be written may have been written all the same.
        if !(400..<500).contains(status) { free.remove(name) }
        return alone.removeValue(forKey: number) != nil && code == "name-taken"
    }
}
