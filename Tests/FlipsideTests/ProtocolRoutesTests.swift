import Foundation
import JSON
import Testing

@testable import Hub

/// The routes of the hub in its OpenAPI file, and the problems of each.
@Suite("The protocol's OpenAPI file") struct ProtocolRoutesTests {
    private static let path = "Sources/Hub/Hub.docc/Resources/flipside.v1.openapi.json"

    private static func document() throws -> Fields {
        try #require(JSONDecoder().decode(Value.self, from: Data(Project.text(path).utf8)).object)
    }

    /// Each operation, as `GET /api/rooms/{code}`.
    private static func operations() throws -> [(name: String, fields: Fields)] {
        let paths = try #require(try document()["paths"]?.object)
        return zip(paths.names, paths.values).flatMap { path, item in
            let fields = item.object ?? [:]
            return zip(fields.names, fields.values).compactMap { method, operation in
                ["get", "post", "put", "delete"].contains(method)
                    ? operation.object.map { ("\(method.uppercased()) \(path)", $0) } : nil
            }
        }
    }

    @Test("has each route of the hub, and no other")
    func routes() throws {
        // How much of a path the braces stand for is nothing that clients need to know.
        let routes = Route.all.map { "\($0.method.names[0]) \($0.path.replacing(/(?:\+|\.\.\.)}/, with: "}"))" }
        let named = try Self.operations().map(\.name)
        #expect(named.sorted() == routes.sorted())
    }

    @Test("uses each body of the schema, and no other")
    func bodies() throws {
        let text = try Project.text(Self.path)
        let used = text.matches(of: /schema.json#\/\$defs\/http\.([A-Za-z]+)"/).map { String($0.output.1) }
        #expect(Set(used) == (try ProtocolSchema().names(behind: "http.")))
    }

    @Test("has problems that the reference has with the same status")
    func problems() throws {
        let page = ProtocolPages.folder + "ProtocolErrors.md"
        var statuses: [String: Set<String>] = [:]
        for row in try Project.table(in: page, under: "## Problems") {
            for code in row[1].matches(of: /`([a-z.-]+)`/) {
                let found = row[0].split(separator: ", ").map { String($0) }
                statuses[String(code.output.1), default: []].formUnion(found)
            }
        }
        // "those of options"
        for row in try Project.table(in: page, under: "## Errors of options") {
            statuses[String(row[0].dropFirst().dropLast()), default: []].insert("422")
        }
        for (name, operation) in try Self.operations() {
            let answers = operation["responses"]?.object ?? [:]
            for (status, answer) in zip(answers.names, answers.values) {
                for code in answer.object?["x-codes"]?.strings ?? [] {
                    #expect(statuses[code]?.contains(status) == true, "\(name): \(status) \(code)")
                }
            }
        }
        let others = try #require(try Self.document()["x-any-request"]?.object)
        for (status, codes) in zip(others.names, others.values) {
            for code in codes.strings ?? [] {
                #expect(statuses[code]?.contains(status) == true, "any request: \(status) \(code)")
            }
        }
    }
}
