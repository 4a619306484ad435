/// Names that a player has given up and no one has taken since, as far as requests and answers tell.
struct FreeNames {
    private var free: Set<String> = []
    /// How many requests for a name are under way.
    private var wanted: [String: Int] = [:]
    /// Requests for free names that no one else has asked for since they began.
    private var alone: [Int: String] = [:]

    /// Its player has another name, or none. A request that is under way may get it.
    mutating func giveUp(_ name: String) { if wanted[name] == nil { free.insert(name) } }

    /// A free name may have an owner again.
    mutating func forget() { (free, alone) = ([], [:]) }

    mutating func requestArrived(_ number: Int, _ name: String) {
        for other in alone.filter({ $0.value == name }).keys { alone[other] = nil }
        if wanted[name] == nil, free.contains(name) { alone[number] = name }
        wanted[name, default: 0] += 1
    }

    /// Whether a name was refused as taken that was free all the time.
    mutating func responseSent(_ number: Int, _ name: String, status: Int, code: String?) -> Bool {
        if let count = wanted[name] { wanted[name] = count > 1 ? count - 1 : nil }
        // A write that was reported as failed may still have happened.
        if !(400..<500).contains(status) { free.remove(name) }
        return alone.removeValue(forKey: number) != nil && code == "name-taken"
    }
}
