import ArgumentParser
import Foundation

/// An option of `serve`, declared once, in `ServeOption+All.swift`. It is read from the command line and the
/// environment, it appears in `--help`, and its errors name it. A test compares it with `Running.md`.
struct ServeOption: Sendable {
    /// A value and where it comes from: `--loops` or `FLIPSIDE_LOOPS`.
    struct Given {
        let source: String
        let text: String

        var isOnCommandLine: Bool { source.hasPrefix("--") }

        /// Throws if `read` finds no value in it, which must be `wanted`.
        func value<Value>(_ wanted: String, _ read: (String) -> Value?) throws(CommandLineError) -> Value {
            guard let value = read(text) else { throw CommandLineError(self, wanted) }
            return value
        }
    }

    /// Puts a value into the settings.
    typealias Put<Value> = @Sendable (inout ServeSettings, Value) throws(CommandLineError) -> Void

    /// The type of its values, and how they are used.
    enum Kind: Sendable {
        case number(ClosedRange<Int>, WritableKeyPath<ServeSettings, Int> & Sendable)
        case text(Put<Given>)
        /// May be given several times; the variable separates values by commas.
        case list(Put<[Given]>)
    }

    let name: String
    let help: String
    /// The default, in words; nil if there is none.
    let standard: String?
    let kind: Kind

    init(_ name: String, _ help: String, standard: String? = nil, _ kind: Kind) {
        self.name = name
        self.help = help
        self.standard = standard
        self.kind = kind
    }

    /// A number. Without `standard`, the default is the initial value at `path`.
    static func number(
        _ name: String, _ help: String, _ range: ClosedRange<Int>,
        _ path: WritableKeyPath<ServeSettings, Int> & Sendable,
        standard: String? = nil
    ) -> ServeOption {
        let standard = standard ?? String(ServeSettings.standard[keyPath: path])
        return ServeOption(name, help, standard: standard, .number(range, path))
    }

    /// One of the names of `Choice`.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ help: String, standard: String? = nil, put: @escaping Put<Choice>
    ) -> ServeOption {
        let wanted = "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return ServeOption(
            name, help, standard: standard,
            .text { settings, given throws(CommandLineError) in
                try put(&settings, try given.value(wanted) { Choice(rawValue: $0) })
            })
    }

    /// The environment variable for the same option.
    var variable: String { Self.variablePrefix + name.uppercased().split(separator: "-").joined(separator: "_") }

    static let variablePrefix = "FLIPSIDE_"

    /// The values from the command line, or else from the variable. An empty variable counts as unset, so that one can
    /// be taken back.
    func given(_ onCommandLine: [String], _ environment: [String: String]) -> [Given] {
        guard onCommandLine.isEmpty else { return onCommandLine.map { Given(source: "--" + name, text: $0) } }
        guard let text = environment[variable], !text.isEmpty else { return [] }
        return fromVariable(text)
    }

    /// Writes the given values into `settings`; without any they stay the same.
    func put(_ given: [Given], into settings: inout ServeSettings) throws(CommandLineError) {
        guard let first = given.first else { return }
        // A shell produces this from a variable that is not set: `--data "$DATA"`.
        if let empty = given.first(where: { $0.text.isEmpty && $0.isOnCommandLine }) {
            throw CommandLineError("\(empty.source) is empty: give it a value, or leave it out.")
        }
        switch kind {
        case .number(let range, let path):
            guard let number = Int(first.text), range.contains(number) else {
                throw CommandLineError(first, "a number from \(range.lowerBound) to \(range.upperBound)")
            }
            settings[keyPath: path] = number
        case .text(let put): try put(&settings, first)
        case .list(let put): try put(&settings, given)
        }
    }

    /// Spaces around a comma are allowed for readability.
    private func fromVariable(_ text: String) -> [Given] {
        guard case .list = kind else { return [Given(source: variable, text: text)] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Given(source: variable, text: part.trimmingCharacters(in: .whitespaces))
        }
    }
}

// How Swift Argument Parser sees it.
extension ServeOption {
    /// The wrapper that declares it, as a property of the command would.
    var argument: Any {
        let help = ArgumentHelp(self.help + (standard.map { " (default: \($0))" } ?? ""))
        return switch kind {
        case .number: Option<Int?>(name: .customLong(name), help: help)
        case .text: Option<String?>(name: .customLong(name), help: help)
        case .list: Option<[String]>(wrappedValue: [], name: .customLong(name), help: help)
        }
    }

    func texts(in container: KeyedDecodingContainer<Key>) throws -> [String] {
        switch kind {
        case .number: try container.decodeIfPresent(Int.self, forKey: Key(name)).map { [String($0)] } ?? []
        case .text: try container.decodeIfPresent(String.self, forKey: Key(name)).map { [$0] } ?? []
        case .list: try container.decodeIfPresent([String].self, forKey: Key(name)) ?? []
        }
    }

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}

extension [ServeOption.Given] {
    /// As `Given.value`, of each.
    func values<Value>(_ wanted: String, _ read: (String) -> Value?) throws(CommandLineError) -> [Value] {
        try map { given throws(CommandLineError) in try given.value(wanted, read) }
    }
}

extension CommandLineError {
    /// About a value that is not `wanted`. A value with an `@` is not shown, since it may have a password.
    init(_ given: ServeOption.Given, _ wanted: String) {
        let shown = given.text.contains("@") ? "…" : given.text
        self.init("\(given.source) is `\(shown)`; it must be \(wanted).")
    }
}
