/// A hub's metrics at one moment, in Prometheus' text format.
struct MetricsReading: Equatable {
    struct Sample: Equatable {
        var labels: [String: String] = [:]
        let value: Double
    }

    /// By name; histograms are under the names of their parts.
    private let samples: [String: [Sample]]

    /// Throws if a line is malformed, or if it is not from a hub.
    init(_ text: String) throws(MetricsReadingError) {
        var samples: [String: [Sample]] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let (name, sample) = Self.sample(line) else { throw .malformed(line: index + 1) }
            samples[name, default: []].append(sample)
        }
        guard samples["flipside_rooms_awake"] != nil else { throw .notAHub }
        self.samples = samples
    }

    /// The sum of all samples of `name`; 0 if an older or newer hub has none.
    func sum(_ name: String) -> Double { (samples[name] ?? []).reduce(0) { $0 + $1.value } }

    /// The sums of the samples of `name`, by the value of `label`.
    func values(_ name: String, by label: String) -> [String: Double] {
        var values: [String: Double] = [:]
        for sample in samples[name] ?? [] {
            if let value = sample.labels[label] { values[value, default: 0] += sample.value }
        }
        return values
    }

    /// How many spans were within each bound, in seconds, for all labels together.
    func buckets(_ name: String) -> [(bound: Double, count: Double)] {
        values(name + "_bucket", by: "le").compactMap { bound, count in Self.number(bound[...]).map { ($0, count) } }
            .sorted { $0.bound < $1.bound }
    }

    /// `name value`, or `name{label="value",…} value`, with or without a time after it.
    private static func sample(_ line: Substring) -> (String, Sample)? {
        var rest = line
        let name = rest.prefix { $0 != "{" && $0 != " " }
        rest = rest.dropFirst(name.count)
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") })
        else { return nil }
        var labels: [String: String] = [:]
        if rest.first == "{" {
            guard let read = Self.labels(&rest) else { return nil }
            labels = read
        }
        let words = rest.split(separator: " ")
        guard (1...2).contains(words.count), let value = number(words[0]) else { return nil }
        return (String(name), Sample(labels: labels, value: value))
    }

    /// The labels in braces; `rest` continues after them.
    private static func labels(_ rest: inout Substring) -> [String: String]? {
        var labels: [String: String] = [:]
        rest.removeFirst()
        while rest.first != "}" {
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals]
            rest = rest[rest.index(after: equals)...]
            guard !name.isEmpty, rest.first == "\"", let value = quoted(&rest) else { return nil }
            labels[String(name)] = value
            guard rest.first == "," || rest.first == "}" else { return nil }
            if rest.first == "," { rest.removeFirst() }
        }
        rest.removeFirst()
        return labels
    }

    /// A text in quotation marks, in which a backslash escapes a quotation mark, itself, or n.
    private static func quoted(_ rest: inout Substring) -> String? {
        var text = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped == "n" ? "\n" : escaped)
            default: text.append(character)
            }
        }
        return nil
    }

    private static func number(_ word: Substring) -> Double? {
        switch word {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        default: Double(word)
        }
    }
}

/// Why nothing can be shown.
enum MetricsReadingError: Error, Equatable {
    case malformed(line: Int)
    case notAHub

    var sentence: String {
        switch self {
        case .malformed(let line): "line \(line) of its answer is not in Prometheus' text format"
        case .notAHub: "its metrics are not those of a hub: `flipside_rooms_awake` is missing"
        }
    }
}
