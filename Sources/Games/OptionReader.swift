import JSON

/// Reads requested options. A value that does not fit is refused with the values that would.
struct OptionReader {
    private let asked: Fields

    /// Refuses names that are not among `known`.
    init(_ asked: Fields, known: [String]) throws(Rejection) {
        if let stranger = asked.names.first(where: { !known.contains($0) }) {
            // Cut, since a name that is no option may be as long as a message.
            let name = String(stranger.prefix(40))
            throw Rejection(
                "unknown-option", "There is no option \(name). The options are \(known.joined(separator: ", ")).",
                values: ["option": .string(name), "options": .strings(known)])
        }
        self.asked = asked
    }

    /// The requested whole number; nil if none was. `off` is allowed besides `range` and turns the option off.
    func integer(_ name: String, in range: ClosedRange<Int>, off: Int? = nil, unit: String = "") throws(Rejection)
        -> Int?
    {
        guard let value = asked[name] else { return nil }
        if let number = value.integer, range.contains(number) || number == off { return number }
        let others = off.map { "\($0) (off) or " } ?? ""
        var values: Fields = ["option": .string(name), "range": .integers([range.lowerBound, range.upperBound])]
        if let off { values["off"] = .integer(off) }
        let least = range.lowerBound
        throw Rejection(
            "out-of-range", "\(name) must be \(others)a whole number from \(least) to \(range.upperBound)\(unit).",
            values: values)
    }

    /// The requested one of `choices`; nil if none was.
    func choice(_ name: String, of choices: [String]) throws(Rejection) -> String? {
        guard let value = asked[name] else { return nil }
        if let text = value.string, choices.contains(text) { return text }
        throw Rejection(
            "unknown-value", "\(name) must be one of \(choices.joined(separator: ", ")).",
            values: ["option": .string(name), "choices": .strings(choices)])
    }

    /// The requested case of `Choice`; nil if none was.
    func choice<Choice>(_ name: String, of: Choice.Type) throws(Rejection) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        try choice(name, of: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
    }

    /// Refuses `name` together with any of `others`.
    func refuse(_ name: String, beside others: [String]) throws(Rejection) {
        guard asked[name] != nil, let other = others.first(where: { asked[$0] != nil }) else { return }
        throw Rejection(
            "options-conflict", "\(name) and \(other) cannot be asked for together.",
            values: ["options": .strings([name, other])])
    }
}
