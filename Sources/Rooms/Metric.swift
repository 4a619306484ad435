import Threads

/// A metric of `/metrics`. `Running.md` has a row for each.
public struct Metric: Equatable, Sendable {
    public enum Kind: String, Sendable { case gauge, counter, histogram }

    /// Its name in Prometheus.
    let name: String
    let kind: Kind
    let help: String
    /// The label that tells its samples apart, whose values are all known to the program; nil if it has one sample.
    let label: String?

    public init(name: String, kind: Kind, help: String, label: String?) {
        (self.name, self.kind, self.help, self.label) = (name, kind, help, label)
    }

    public static func gauge(_ name: String, _ help: String) -> Metric {
        Metric(name: "flipside_" + name, kind: .gauge, help: help, label: nil)
    }

    public static func counter(_ name: String, by label: String? = nil, _ help: String) -> Metric {
        Metric(name: "flipside_" + name, kind: .counter, help: help, label: label)
    }

    /// For times, in seconds.
    public static func histogram(_ name: String, by label: String? = nil, _ help: String) -> Metric {
        Metric(name: "flipside_" + name, kind: .histogram, help: help, label: label)
    }
}

/// A metric with its readings.
public struct Figure: Equatable, Sendable {
    public enum Reading: Equatable, Sendable {
        case number(Int)
        /// Shown in seconds.
        case span(Nanoseconds)
        case spans(Histogram)
    }

    public struct Sample: Equatable, Sendable {
        /// The value of the metric's label.
        let label: String?
        let reading: Reading

        public init(label: String?, reading: Reading) { (self.label, self.reading) = (label, reading) }
    }

    let metric: Metric
    /// In order, with a different label each.
    let samples: [Sample]

    public init(_ metric: Metric, _ reading: Reading) {
        (self.metric, samples) = (metric, [Sample(label: nil, reading: reading)])
    }

    public init(_ metric: Metric, _ samples: [(label: String, reading: Reading)]) {
        self.metric = metric
        self.samples = samples.map { Sample(label: $0.label, reading: $0.reading) }
    }

    /// The sum of what several parts of the hub counted under one metric.
    public static func sum(_ metric: Metric, _ parts: [[Sample]]) -> Figure {
        var readings: [String?: Reading] = [:]
        var labels: [String?] = []
        for sample in parts.joined() {
            if let known = readings[sample.label] {
                readings[sample.label] = known + sample.reading
            } else {
                labels.append(sample.label)
                readings[sample.label] = sample.reading
            }
        }
        let samples = labels.compactMap { label in readings[label].map { Sample(label: label, reading: $0) } }
        return Figure(metric: metric, samples: samples)
    }

    private init(metric: Metric, samples: [Sample]) { (self.metric, self.samples) = (metric, samples) }

    /// In Prometheus' text format.
    public var text: String {
        """
        # HELP \(metric.name) \(metric.help)
        # TYPE \(metric.name) \(metric.kind.rawValue)

        """ + samples.map(lines).joined()
    }

    private func lines(of sample: Sample) -> String {
        switch sample.reading {
        case .number(let number): line("", sample, "\(number)")
        case .span(let span): line("", sample, span.seconds)
        case .spans(let spans): lines(of: spans, sample)
        }
    }

    private func lines(of spans: Histogram, _ sample: Sample) -> String {
        var (text, count) = ("", 0)
        for (index, inBucket) in spans.counts.enumerated() {
            count += inBucket
            let bound = index < Histogram.bounds.count ? Histogram.bounds[index].seconds : "+Inf"
            text += line("_bucket", sample, "\(count)", more: ["le=\"\(bound)\""])
        }
        return text + line("_sum", sample, spans.sum.seconds) + line("_count", sample, "\(count)")
    }

    private func line(_ suffix: String, _ sample: Sample, _ value: String, more: [String] = []) -> String {
        // No label needs escaping, since each is a word of the program.
        let own = [metric.label, sample.label].compactMap { $0 }
        let labels = (own.count == 2 ? ["\(own[0])=\"\(own[1])\""] : []) + more
        let all = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
        return "\(metric.name)\(suffix)\(all) \(value)\n"
    }
}

extension Figure.Reading {
    /// Both sides must be of the same kind.
    static func + (left: Self, right: Self) -> Self {
        switch (left, right) {
        case (.number(let left), .number(let right)): .number(left + right)
        case (.span(let left), .span(let right)): .span(left + right)
        case (.spans(let left), .spans(let right)): .spans(left + right)
        default: preconditionFailure("readings of one metric have one kind")
        }
    }
}

extension Nanoseconds {
    /// As a decimal number of seconds with all its digits: `0.00005`.
    var seconds: String {
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var fraction = String(1_000_000_000 + rest).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return (self < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
