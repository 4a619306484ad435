import WebProtocols

/// The page's file, with a place for an address's preview. The file's own text there is used if there is no preview. A
/// file without such a place is served unchanged.
struct PageFile: Sendable {
    static let placeBegins = "<!-- preview -->"
    static let placeEnds = "<!-- /preview -->"

    let type: String
    /// The file's own digest.
    let digest: String
    private let front: [UInt8]
    private let back: [UInt8]
    private let hasPlace: Bool
    /// Nil if there was no memory for it.
    private let compressed: SplicedGzip?

    init(_ file: StaticFiles.File) {
        (type, digest) = (file.type, file.digest)
        let text = String(decoding: file.body, as: UTF8.self)
        if let begin = text.firstRange(of: Self.placeBegins),
            let end = text[begin.upperBound...].firstRange(of: Self.placeEnds)
        {
            (front, back) = (Array(text[..<begin.lowerBound].utf8), Array(text[end.upperBound...].utf8))
            hasPlace = true
        } else {
            (front, back, hasPlace) = (file.body, [], false)
        }
        compressed = SplicedGzip(front: front, back: back)
    }

    /// The page with `tags` in its place; nil if there is no gzip form.
    func body(with tags: [UInt8], gzip: Bool) -> [UInt8]? {
        let tags = hasPlace ? tags : []
        return gzip ? compressed?.body(with: tags) : front + tags + back
    }
}
