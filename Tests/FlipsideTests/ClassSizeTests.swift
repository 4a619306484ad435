import Testing

/// The size of classes with all their extensions, since splitting a class over files does not make it smaller.
@Suite("The size of classes") struct ClassSizeTests {
    private static let lineLimit = 400
    private static let fileLimit = 3

    /// A class with its extensions in its own module: the lines of its declarations, and its files.
    struct Size: CustomStringConvertible {
        var lines = 0
        var files = 0

        var isSmall: Bool { lines <= lineLimit && files <= fileLimit }
        var description: String { "\(lines) lines in \(files) files" }
    }

    /// The classes that are larger. None may grow, and no other may be added.
    private static let large: [String: Size] = [
        "Cluster.NodeKeeper": Size(lines: 444, files: 4),
        "Hub.API": Size(lines: 795, files: 7),
        "ReferenceModel.ConnectionModel": Size(lines: 564, files: 5),
        "ReferenceModel.HubModel": Size(lines: 483, files: 3),
        "Rooms.RoomSurroundings": Size(lines: 233, files: 6),
        "Simulation.Faults": Size(lines: 444, files: 5),
        "Simulation.HubProcess": Size(lines: 458, files: 4),
        "Simulation.Person": Size(lines: 596, files: 4),
        "Simulation.World": Size(lines: 587, files: 6),
    ]

    @Test("a class has one subject, so no other class becomes too large, and those on the list do not grow")
    func sizes() throws {
        let sizes = try Self.sizes(in: "Sources")
        #expect(sizes.count > 100, "no classes were found")
        for (name, size) in sizes.sorted(by: { $0.key < $1.key }) where !size.isSmall {
            let limit = try #require(Self.large[name], "\(name) has \(size), so it has two subjects")
            #expect(size.lines <= limit.lines && size.files <= limit.files, "\(name) has \(size), and had \(limit)")
        }
        for name in Self.large.keys.sorted() {
            #expect(sizes[name].map(\.isSmall) == false, "\(name) is no longer too large, so remove it from the list")
        }
    }

    /// By module and name, for classes only.
    private static func sizes(in folder: String) throws -> [String: Size] {
        let declaration = /^(?:@\S+ )*(?:(?:public|package|private|fileprivate|final) )*(class|extension) (\w+)/
        var (sizes, classes) = ([String: Size](), Set<String>())
        for file in try SourceFile.all(in: folder) {
            let module = file.path.split(separator: "/")[1]
            var (began, inFile) = ((name: String, line: Int)?.none, Set<String>())
            for (index, line) in file.lines.enumerated() {
                if let found = line.firstMatch(of: declaration)?.output {
                    let name = "\(module).\(found.2)"
                    if found.1 == "class" { classes.insert(name) }
                    if !line.hasSuffix("}") { began = (name, index) }
                } else if line == "}", let (name, first) = began {
                    sizes[name, default: Size()].lines += index - first + 1
                    inFile.insert(name)
                    began = nil
                }
            }
            for name in inFile { sizes[name]?.files += 1 }
        }
        return sizes.filter { classes.contains($0.key) }
    }
}
