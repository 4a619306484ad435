import Foundation
import Testing

/// The pages of the protocol's reference, and what stands under their headings.
struct ProtocolPages {
    static let folder = "Sources/Hub/Hub.docc/"

    /// What stands under a heading of the third level: `### sit`.
    struct Section {
        let page: String
        /// The heading above it, of the second level.
        let group: String
        let name: String
        let text: String

        /// The fields of `sit {seat?, commitment?}`, with which its text begins, or none of `leave`; nil without that.
        var fields: Set<String>? {
            guard let start = text.firstMatch(of: /^\s*`(?<name>[a-z-]+)(?: \{(?<fields>[^}`]*)\})?`/),
                start.output.name == name
            else { return nil }
            // Of an error only the fields that each has are listed.
            let fields = (start.output.fields ?? "").replacing("\n", with: " ").split(separator: ", ")
            return Set(fields.map(String.init).filter { $0 != "..." })
        }

        /// What it is of the schema; nil: something else.
        var prefix: String? {
            if page == "ProtocolMessages" { return group.hasPrefix("Messages") ? "hub." : nil }
            if text.contains("<!-- example: command/") { return "client." }
            return text.contains("<!-- example: event/") ? "event." : nil
        }
    }

    /// By its name, without `.md`.
    let texts: [String: String]

    init() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Project.root + "/" + Self.folder)
        let names = files.filter { $0.hasPrefix("Protocol") && $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
        texts = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Project.text(Self.folder + $0 + ".md")) })
    }

    var all: String { texts.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n") }

    func text(_ page: String) throws -> String { try #require(texts[page], "there is no \(page).md") }

    var sections: [Section] {
        texts.sorted { $0.key < $1.key }.flatMap { page, text in
            text.split(separator: "\n## ").dropFirst().flatMap { part in
                let group = String(part.prefix { $0 != "\n" })
                return part.split(separator: "\n### ").dropFirst().map { section in
                    let name = section.prefix { $0 != "\n" }
                    return Section(
                        page: page, group: group, name: String(name), text: String(section.dropFirst(name.count)))
                }
            }
        }
    }

    func sections(of prefix: String) -> [Section] { sections.filter { $0.prefix == prefix } }
}
