import Cryptography
import Foundation
import WebProtocols

/// The client: all files of one folder, read once and served from memory. Nothing outside it can be reached.
struct StaticFiles: Sendable {
    /// Most bytes of all files. A larger folder is not the client.
    static let sizeLimit = 32 << 20

    struct File: Sendable {
        let body: [UInt8]
        let type: String
        /// The first 16 bytes of the body's SHA-256, in hex.
        let digest: String
        /// The gzip form, made once; nil if it is not shorter.
        let compressed: [UInt8]?

        init(body: [UInt8], type: String) {
            self.body = body
            self.type = type
            digest = String(SHA256.digest(of: body).hex.prefix(32))
            let shorter = type.hasPrefix("text/") || type.contains("+") || type == "application/json"
            compressed = shorter ? Gzip.compress(body).flatMap { $0.count < body.count ? $0 : nil } : nil
        }
    }

    enum Fault: Error, Equatable, CustomStringConvertible {
        case noIndex(folder: String)
        case tooLarge(folder: String, limit: Int)

        var description: String {
            switch self {
            case .noIndex(let folder):
                "There is no index.html in \(folder). Name the folder of the client with --web."
            case .tooLarge(let folder, let limit):
                "\(folder) holds more than \(limit) bytes. Name the folder of the client with --web."
            }
        }
    }

    /// The picture in previews of links.
    static let picturePath = "/icons/preview.png"
    /// That picture, its source, and the font's licence, which no page needs.
    private static let pathsOfNoPage: Set = [picturePath, "/icons/preview.svg", "/fonts/OFL.txt"]
    /// The list of all files. The page's service worker uses it to keep a set that fits together.
    static let listPath = "/files.json"
    private static let pagePath = "/index.html"
    /// The only script that is not part of a page.
    private static let workerPath = "/service-worker.js"

    /// By path: `/styles/base.css`.
    private let files: [String: File]
    private let page: PageFile?
    /// Nil if the page has no place for it.
    private var joined: JoinedPage?
    /// Why modules are not joined; nil if they are.
    private(set) var refusal: JoinedModules.Refusal?

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon", "json": "application/json",
        "webmanifest": "application/manifest+json", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    /// Allows only the client itself: no scripts, styles or pictures from elsewhere, no frames around it.
    private static let policy =
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'; connect-src 'self'"

    /// Older Safari does not apply `'self'` to a WebSocket to the page's own host, so the host is named.
    private static func policy(host: String?) -> String {
        guard let host, !host.isEmpty, host.utf8.allSatisfy({ isPartOfHost($0) }) else { return policy }
        return policy + " ws://\(host) wss://\(host)"
    }

    private static func isPartOfHost(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-", ":", "[", "]": true
        default: false
        }
    }

    /// Whether browsers may open it as a document or run it as a worker. Everything that it loads is under its policy.
    private static func hasRulesOfItsOwn(path: String, type: String) -> Bool {
        type.hasPrefix("text/html") || type.hasPrefix("image/svg") || path == workerPath
    }

    init(folder: String) throws {
        let root = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
        guard
            let entries = FileManager.default.enumerator(
                at: root, includingPropertiesForKeys: [.isRegularFileKey], options: [.skipsHiddenFiles])
        else { throw Fault.noIndex(folder: folder) }
        var files: [String: File] = [:]
        var size = 0
        for case let url as URL in entries {
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            // Types are only for people who write the client.
            guard !url.lastPathComponent.hasSuffix(".d.ts") else { continue }
            let body = [UInt8](try Data(contentsOf: url))
            size += body.count
            guard size <= Self.sizeLimit else { throw Fault.tooLarge(folder: folder, limit: Self.sizeLimit) }
            let path = "/" + url.standardizedFileURL.path.dropFirst(root.path.count).drop { $0 == "/" }
            files[path] = File(body: body, type: Self.types[url.pathExtension] ?? "application/octet-stream")
        }
        guard files[Self.pagePath] != nil else { throw Fault.noIndex(folder: folder) }
        do throws(JoinedModules.Refusal) { joined = try JoinedPage(page: Self.pagePath, of: files) } catch {
            refusal = error
        }
        files[Self.pagePath] = joined?.page ?? files[Self.pagePath]
        page = files[Self.pagePath].map { PageFile($0) }
        files[Self.listPath] = File(body: try Self.list(of: files, joined), type: "application/json")
        self.files = files
    }

    /// The path of each of the page's files with the start of its SHA-256, in JSON.
    private static func list(of files: [String: File], _ joined: JoinedPage?) throws -> [UInt8] {
        var files = files.filter { !pathsOfNoPage.contains($0.key) && joined?.sources.contains($0.key) != true }
        if let joined { for (path, part) in joined.parts { files[joined.folder + path] = part } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(files.mapValues(\.digest)))
    }

    /// No files, for tests of a hub without a page.
    init() { (files, page) = ([:], nil) }

    /// The page for an address that does not exist, which says so in the reader's language; nil without a page.
    func nothingHere(_ head: RequestHead) -> HTTPResponse? {
        guard let file = files[Self.pagePath] else { return nil }
        var headers = HeaderFields().typed(file.type)
        headers.set("Vary", "Accept, Accept-Encoding")
        headers.set("Content-Security-Policy", Self.policy(host: head.headers["Host"]))
        headers.set("Referrer-Policy", "no-referrer")
        let compressed = head.accepts(coding: "gzip") ? file.compressed : nil
        if compressed != nil { headers.set("Content-Encoding", "gzip") }
        return HTTPResponse(status: 404, headers: headers, body: compressed ?? file.body)
    }

    /// The page, at any of its addresses, with `tags` in their place; nil without a page.
    func page(_ head: RequestHead, tags: String) -> HTTPResponse? {
        page.map { page in
            let tags = Array(tags.utf8)
            let digest = String(SHA256.digest(of: tags + Array(page.digest.utf8)).hex.prefix(32))
            let known = Known(
                path: Self.pagePath, type: page.type, digest: digest, vary: "Accept-Encoding, Accept-Language")
            return response(head, known) { gzip in page.body(with: tags, gzip: gzip) }
        }
    }

    /// The addresses of the page's sentences in this language; empty if they are among the joined modules.
    func sentences(in language: String) -> [String] { joined?.sentences[language] ?? [] }

    /// The file at this address; nil if there is none.
    func file(_ head: RequestHead) -> HTTPResponse? {
        let part = joined?.part(head.path)
        return (part?.file ?? files[head.path]).map { file in
            let lifetime = part?.isOfNow == true ? "max-age=31536000, immutable" : "no-cache"
            let known = Known(path: head.path, type: file.type, digest: file.digest, lifetime: lifetime)
            return response(head, known) { gzip in gzip ? file.compressed : file.body }
        }
    }

    /// What is known of a body before it is made.
    private struct Known {
        let path: String
        let type: String
        let digest: String
        var vary = "Accept-Encoding"
        var lifetime = "no-cache"
    }

    /// `body` returns nil if the form does not exist.
    private func response(_ head: RequestHead, _ known: Known, body: (_ gzip: Bool) -> [UInt8]?) -> HTTPResponse {
        let compressed = head.accepts(coding: "gzip") ? body(true) : nil
        // Other bytes need another tag (RFC 9110 section 8.8.3.3).
        let etag = "\"\(known.digest)\(compressed == nil ? "" : "-gzip")\""
        var headers: HeaderFields = [
            "ETag": etag, "Vary": known.vary, "Cache-Control": known.lifetime, "X-Content-Type-Options": "nosniff",
        ]
        // Files that a page uses are under the page's policy. Repeated with each of sixty files, it would take a tenth
        // of their bytes.
        if Self.hasRulesOfItsOwn(path: known.path, type: known.type) {
            headers.set("Content-Security-Policy", Self.policy(host: head.headers["Host"]))
            headers.set("Referrer-Policy", "no-referrer")
        }
        if head.failsMatch(tag: etag) { return HTTPResponse(status: 412, headers: headers) }
        if head.hasMatch(tag: etag) { return HTTPResponse(status: 304, headers: headers) }
        headers.set("Content-Type", known.type)
        if compressed != nil { headers.set("Content-Encoding", "gzip") }
        return HTTPResponse(status: 200, headers: headers, body: compressed ?? body(false) ?? [])
    }
}
