import WebProtocols

/// What a link shows where it is pasted: Open Graph tags and the page's title and description, in HTML.
struct Preview: Equatable {
    let title: String
    let description: String
    /// The page's path; nil if it is left out, since some programs would send readers there, not to the pasted address.
    var path: String?

    static let pictureWidth = 1200
    static let pictureHeight = 630

    /// Without the hub's own address, no absolute address is given.
    func tags(in texts: PreviewTexts, at origin: WebOrigin?) -> String {
        var tags = [
            "<meta name=\"description\" content=\"\(escaped(description))\">",
            "<title>\(escaped(title == Self.brand ? title : "\(title) · \(Self.brand)"))</title>",
        ]
        func add(_ property: String, _ content: String, by name: String = "property") {
            tags.append("<meta \(name)=\"\(property)\" content=\"\(escaped(content))\">")
        }
        add("og:site_name", Self.brand)
        add("og:type", "website")
        add("og:locale", texts.locale)
        add("og:title", title)
        add("og:description", description)
        if let origin {
            if let path { add("og:url", "\(origin)\(path)") }
            add("og:image", "\(origin)\(StaticFiles.picturePath)")
            add("og:image:width", "\(Self.pictureWidth)")
            add("og:image:height", "\(Self.pictureHeight)")
            add("og:image:alt", texts.picture)
        }
        add("twitter:card", "summary_large_image", by: "name")
        return tags.joined(separator: "\n  ")
    }

    static let brand = "Flipside"

    private static let marks = Array("&<>\"'".utf8)

    /// For text, and for values in double quotes.
    private func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: Self.marks.contains) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
