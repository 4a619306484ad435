import JSON

@testable import Games

// Values in the words of a violation. They stay short, so that no sentence has to be cut.

extension Value {
    /// As JSON; of a longer value only its kind and size.
    var brief: String {
        let text = description
        guard text.utf8.count > 60 else { return text }
        return switch self {
        case .list(let values): "a list of \(values.count)"
        case .object(let fields): "an object with \(fields.count) fields"
        case .string(let words): "a text of \(words.count) characters"
        default: text
        }
    }

    /// Where this value differs from `other`: "view.stones is 5, not 6".
    func differences(from other: Value, at path: String) -> [String] {
        guard self != other else { return [] }
        switch (self, other) {
        case (.object(let own), .object(let others)):
            let names = own.names + others.names.filter { own[$0] == nil }
            let differences = names.flatMap { name -> [String] in
                let place = path.isEmpty ? name : "\(path).\(name)"
                switch (own[name], others[name]) {
                case (let value?, let wanted?): return value.differences(from: wanted, at: place)
                case (let value?, nil): return ["\(place) is \(value.brief), not missing"]
                case (nil, let wanted?): return ["\(place) is missing, not \(wanted.brief)"]
                case (nil, nil): return []
                }
            }
            return differences.isEmpty ? ["the fields of \(path) have another order"] : differences
        case (.list(let own), .list(let others)) where own.count == others.count:
            return own.indices.flatMap { own[$0].differences(from: others[$0], at: "\(path)[\($0)]") }
        case (.list(let own), .list(let others)):
            return ["\(path) has \(own.count) elements, not \(others.count)"]
        default: return ["\(path) is \(brief), not \(other.brief)"]
        }
    }
}

extension Fields {
    /// As JSON, with long values in words.
    var brief: String {
        "{" + zip(names, values).map { "\"\($0)\":\($1.brief)" }.listed(most: 8) + "}"
    }
}

extension [String] {
    /// The first few, and how many more there are.
    func listed(most: Int = 3) -> String {
        count <= most ? joined(separator: ", ") : prefix(most).joined(separator: ", ") + " and \(count - most) more"
    }
}

extension GameStep {
    var brief: String { "\(type) \(fields.brief)" }
}

extension Seat {
    var brief: String { "seat \(rawValue)" }
}

extension PlayerResult {
    var asFields: Fields {
        var fields: Fields = [
            "seat": .integer(seat.rawValue), "score": .integer(score), "figures": .object(figures),
            "time": .integer(time), "isLeftEarly": .bool(isLeftEarly),
        ]
        fields["place"] = place.map { .integer($0) }
        return fields
    }
}

extension Outcome {
    var asFields: Fields {
        ["reason": .string(reason.rawValue), "results": .list(results.map { .object($0.asFields) })]
    }
}
