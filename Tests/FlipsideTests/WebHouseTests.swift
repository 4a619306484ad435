import Foundation
import Games
import Testing

/// What the files of web/ may import, name and contain. Tests in Node and browsers check what they do.
@Suite("The house of the page") struct WebHouseTests {
    /// What each folder may import besides itself. A game's folder has rules of its own, and `main.js` has none.
    static let allowed: [String: Set<String>] = [
        "shell": ["pages", "views", "games", "net", "store", "texts"],
        "pages": ["sound", "views", "games", "qr", "net", "store", "texts", "client.js"],
        "sound": ["views", "games", "store"], "views": ["games", "qr", "store", "texts"],
        "games": ["texts", "cryptography"], "net": [], "store": ["net", "texts", "cryptography"], "texts": [], "qr": [],
        "cryptography": [], "client.js": ["games", "net", "cryptography"], "service-worker.js": [],
    ]
    /// What a game may import besides its own folder and the files directly in games/.
    static let allowedToGames = ["texts/texts.js", "cryptography/", "store/settings.js"]
    static let list = "games/list.js"
    /// The scales themselves.
    static let beyondScales = ["styles/tokens.css"]

    @Test("shell -> pages -> views -> games: each folder imports only those below it")
    func arrows() throws {
        for file in try WebFile.all(["js"]) where file.game == nil && file.path != "main.js" && file.path != Self.list {
            let mayImport = try #require(Self.allowed[file.folder], "\(file.path) is in no folder of the table")
            for path in file.imports {
                #expect(
                    WebFile.folder(of: path) == file.folder || mayImport.contains(WebFile.folder(of: path)),
                    "\(file.path) imports \(path)")
                #expect(WebFile.game(of: path) == nil, "\(file.path) imports \(path), but only the list knows games")
            }
        }
    }

    @Test("no game imports another, a view or a page")
    func games() throws {
        for file in try WebFile.all(["js"]) {
            guard let game = file.game else { continue }
            for path in file.imports {
                let isShared = WebFile.folder(of: path) == "games" && WebFile.game(of: path) == nil && path != Self.list
                let isAllowed = isShared || Self.allowedToGames.contains { path.hasPrefix($0) }
                #expect(WebFile.game(of: path) == game || isAllowed, "\(file.path) imports \(path)")
            }
        }
    }

    @Test("no fold uses a document, and in games/ only boards do")
    func documents() throws {
        for file in try WebFile.all(["js"]) where file.folder == "games" && !file.path.hasSuffix("/board.js") {
            for line in file.code where line.contains(/\b(document|window|localStorage|navigator)\b/) {
                Issue.record("\(file.path) uses a document: \(line)")
            }
        }
    }

    @Test("no file reads the time of day, since times are measured by a clock that is never set")
    func clocks() throws {
        for file in try WebFile.all(["js"]) {
            for line in file.code where line.contains(/\bDate\.now\b|new Date\(\)/) {
                Issue.record("\(file.path) reads the time of day: \(line)")
            }
        }
    }

    @Test("no game is named outside its folder and the list of games", arguments: GameList.all.map { $0.name })
    func names(game: String) throws {
        let folder = "games/\(game)/"
        let name = try Regex(#"\b"# + game + #"\b"#).wordBoundaryKind(.simple)
        #expect(try WebFile.all(["js"]).contains { $0.path == folder + "game.js" }, "there is no \(folder)game.js")
        for file in try WebFile.all(["js", "css", "html"]) where !file.path.hasPrefix(folder) && file.path != Self.list
        {
            for line in file.code where line.contains(name) { Issue.record("\(file.path) names \(game): \(line)") }
        }
    }

    @Test("games have the same names in the page and in previews of links", arguments: GameList.all.map { $0.name })
    func titles(game: String) throws {
        let titles = try #require(GameList.all.first { $0.name == game }).titles
        for (language, title) in titles {
            let path = "\(Project.root)/web/games/\(game)/texts/\(language).js"
            let texts = try String(contentsOfFile: path, encoding: .utf8)
            #expect(texts.contains("\"\(game)\": \"\(title)\""), "\(path)")
        }
    }

    @Test(
        "sizes of type, distances and corners are steps of the scales in styles/tokens.css",
        arguments: [
            // Except for the rate at which a size grows with the window, between two steps.
            Scale(of: "font|font-size", literal: #"[\d.]+(px|rem)(?! \+)"#),
            Scale(of: "gap|(row|column)-gap|(padding|margin)(-[a-z-]+)?", literal: #"(^|[^\d.])(?!0px)[\d.]+(px|rem)"#),
            // Except for drawn lines and points.
            Scale(of: "border(-[a-z-]+)?-radius", literal: #"(^|[^\d.])(?![0-3]px)[\d.]+(px|rem)"#),
        ])
    func scales(scale: Scale) throws {
        let declaration = try Regex("[{;\\s](\(scale.properties)):\\s*([^;{}]+)")
        let literal = try Regex(scale.literal)
        for file in try WebFile.all(["css"]) where file.folder == "styles" && !Self.beyondScales.contains(file.path) {
            for match in file.code.joined(separator: "\n").matches(of: declaration) {
                guard let said = match[0].substring else { continue }
                #expect(!said.contains(literal), "\(file.path) has a size of its own:\(said)")
            }
        }
    }

    struct Scale: CustomTestStringConvertible {
        let properties: String
        let literal: String
        var testDescription: String { properties }

        init(of properties: String, literal: String) { (self.properties, self.literal) = (properties, literal) }
    }

    @Test("no file except texts and index.html has more than 300 lines, and no line more than 120 columns")
    func sizes() throws {
        for file in try WebFile.all(["js", "css"]) where !file.path.contains(/texts\/(..|[a-z-]+\.en)\.js$/) {
            #expect(file.lines.count <= 300, "\(file.path) has too many lines")
            for (index, line) in file.lines.enumerated() where line.count > 120 {
                Issue.record("\(file.path):\(index + 1) has \(line.count) columns")
            }
        }
    }
}

private struct WebFile {
    /// Relative to web/.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
    /// Without comments.
    var code: [Substring] {
        text.replacing(/\/\*[^*]*\*+(?:[^\/*][^*]*\*+)*\//, with: "").replacing(/<!--(?s:.)*?-->/, with: "")
            .split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    }

    var folder: String { Self.folder(of: path) }
    var game: String? { Self.game(of: path) }

    static func folder(of path: String) -> String { String(path.prefix { $0 != "/" }) }

    /// The game in whose folder a file is.
    static func game(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "games" ? String(parts[1]) : nil
    }

    /// The files that it imports at once or later, relative to web/. `import(\`./board.js${again}\`)` is `./board.js`.
    var imports: [String] {
        let specifier = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)["'`](?<path>\.{1,2}\/[^"'`?$]+)/
        return code.joined(separator: "\n").matches(of: specifier).map { match in
            var parts = path.split(separator: "/").dropLast().map(String.init)
            for part in match.output.path.split(separator: "/") where part != "." {
                if part == ".." { parts.removeLast() } else { parts.append(String(part)) }
            }
            return parts.joined(separator: "/")
        }
    }

    static func all(_ kinds: [String]) throws -> [WebFile] {
        let root = Project.root + "/web/"
        let names = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
        let files = names.filter { name in kinds.contains { name.hasSuffix("." + $0) } }
        try #require(!files.isEmpty)
        return try files.sorted().map { path in
            WebFile(path: path, text: try String(contentsOfFile: root + path, encoding: .utf8))
        }
    }
}
