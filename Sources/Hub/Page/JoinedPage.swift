import Cryptography
import Foundation

/// The page as browsers get it. The modules and style sheets that its file names between two marks are joined into one
/// each, together with all games' boards and demonstrations, which a room and the first page need next. Their address
/// changes with their content, so browsers may keep them for ever.
///
/// People who work on the page change its files and restart the hub, so each file is also served as it is.
struct JoinedPage {
    private static let placeBegins = "<!-- joined -->"
    private static let placeEnds = "<!-- /joined -->"
    private static let root = "/joined/"
    private static let script = "page.js"
    private static let style = "page.css"
    /// The end of a font's address.
    static let font = ".woff2"

    /// The page with the joined parts in their place.
    let page: StaticFiles.File
    /// Joined parts, fonts and later modules, by their address below `folder`.
    private(set) var parts: [String: StaticFiles.File] = [:]
    /// Changes with any content in it, or if the same files are joined in another way.
    let folder: String
    /// The file addresses of modules and fonts, which no page uses.
    let sources: Set<String>
    /// By language, the later modules with a page's sentences: `texts/de.js` of the page and of each game.
    private(set) var sentences: [String: [String]] = [:]

    /// Nil if the page has no place for them.
    init?(page path: String, of files: [String: StaticFiles.File]) throws(JoinedModules.Refusal) {
        // Browsers ignore indents.
        let text = String(decoding: files[path]?.body ?? [], as: UTF8.self)
            .split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        guard let begin = text.firstRange(of: Self.placeBegins),
            let end = text[begin.upperBound...].firstRange(of: Self.placeEnds)
        else { return nil }
        let named = Self.addresses(in: text[begin.upperBound..<end.lowerBound])
        let modules = files.filter { $0.key.hasSuffix(".js") && Self.isModule($0.value.body) }
        let fonts = files.filter { $0.key.hasSuffix(Self.font) }
        sources = Set(modules.keys).union(fonts.keys)
        let boards = files.keys.filter { $0.hasPrefix("/games/") }.sorted()
        let ofBoards = boards.filter { $0.hasSuffix("/board.js") || $0.hasSuffix("/demonstration.js") }
        let entries = ofBoards + named.filter { $0.hasSuffix(".js") }
        let styles = named.filter { $0.hasSuffix(".css") } + boards.filter { $0.hasSuffix("/board.css") }
        let joined = try JoinedModules(entries, of: modules.mapValues { String(decoding: $0.body, as: UTF8.self) })
        parts = modules.merging(fonts) { module, _ in module }
        for path in joined.paths { parts[path] = Self.script(joined.standIn(for: path, name: Self.script)) }
        parts["/" + Self.script] = Self.script(joined.body)
        parts["/" + Self.style] = StaticFiles.File(
            body: Array(JoinedStyles.body(styles, of: files).utf8), type: "text/css; charset=utf-8")
        let all = parts.sorted { $0.key < $1.key }.map { $0.key + $0.value.digest }.joined()
        folder = Self.root + SHA256.digest(of: Array(all.utf8)).hex.prefix(16)
        var place = """
            <link rel="stylesheet" href="\(folder)/\(Self.style)" data-holds="\(styles.joined(separator: " "))">
              <script type="module" src="\(folder)/\(Self.script)"></script>
            """
        for font in named where font.hasSuffix(Self.font) {
            place += "\n  <link rel=\"preload\" href=\"\(folder)\(font)\" as=\"font\" type=\"font/woff2\" crossorigin>"
        }
        page = StaticFiles.File(
            body: Array((text[..<begin.lowerBound] + place + text[end.upperBound...]).utf8),
            type: "text/html; charset=utf-8")
        for path in modules.keys.sorted() where !joined.paths.contains(path) {
            let names = path.split(separator: "/")
            guard names.count > 1, names[names.count - 2] == "texts" else { continue }
            sentences[String(names[names.count - 1].dropLast(".js".count)), default: []].append(folder + path)
        }
    }

    /// The file at an address below `root`; `isOfNow` if its address has the current content. A page that has been open
    /// since older files gets its later modules from the current ones, which find their stand-ins beside them.
    func part(_ path: String) -> (file: StaticFiles.File, isOfNow: Bool)? {
        guard path.hasPrefix(Self.root) else { return nil }
        let rest = path.dropFirst(Self.root.count).drop { $0 != "/" }
        return parts[String(rest)].map { ($0, path.hasPrefix(folder + "/")) }
    }

    private static func script(_ text: String) -> StaticFiles.File {
        StaticFiles.File(body: Array(text.utf8), type: "text/javascript; charset=utf-8")
    }

    /// The addresses of links and scripts, in order.
    private static func addresses(in text: Substring) -> [String] {
        text.split(separator: "\"").filter { $0.hasPrefix("/") }.map { String($0) }
    }

    /// Whether a line starts as only modules do.
    private static func isModule(_ body: [UInt8]) -> Bool {
        let text = Data([UInt8(ascii: "\n")] + body)
        return beginnings.contains { text.range(of: $0) != nil }
    }

    private static let beginnings = ["\nimport ", "\nexport "].map { Data($0.utf8) }
}
