import WebProtocols

/// The file of the page, with a place for what previews say of an address: what stands there in the file is what is
/// said where there is nothing more to say. A file without such a place is served as it is.
struct PageFile: Sendable {
    static let placeBegins = "<!-- preview -->"
    static let placeEnds = "<!-- /preview -->"

    let type: String
    /// That of the file.
    let digest: String
    private let front: [UInt8]
    private let back: [UInt8]
    private let hasPlace: Bool
    /// Nil where there was no memory for it.
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

    /// The page with `tags` at that place; nil where it cannot be had in the coding gzip.
    func body(with tags: [UInt8], gzip: Bool) -> [UInt8]? {
        let tags = hasPlace ? tags : []
        return gzip ? compressed?.body(with: tags) : front + tags + back
    }
}
