import Cryptography

/// Style sheets as one, in their order.
enum JoinedStyles {
    /// Bytes of a picture that stands in the sheet itself: it would cost a request, and wait for the sheet.
    private static let pictureLimit = 1_024

    /// `files`: all of the page, by path. What a sheet names beside itself is named from the root, or stands in it.
    static func body(_ paths: [String], of files: [String: StaticFiles.File]) -> String {
        paths.map { path in
            let text = String(decoding: withoutComments(files[path]?.body ?? []), as: UTF8.self)
            let parts = text.split(separator: "url(\"", omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(String(parts.first ?? "")) { joined, part in
                let name = part.prefix { $0 != "\"" }
                return joined + "url(\"" + address(String(name), from: path, files) + part[name.endIndex...]
            }
        }.joined()
    }

    /// Nor indents: both weigh a fifth of what is sent. What is in quotes holds neither.
    private static func withoutComments(_ sheet: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = sheet[...]
        while let byte = rest.first {
            if rest.starts(with: "/*".utf8) {
                rest.removeFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else {
                rest.removeFirst()
                let isAtBegin = (kept.last ?? UInt8(ascii: "\n")) == UInt8(ascii: "\n")
                if !isAtBegin || (byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\n")) { kept.append(byte) }
            }
        }
        return kept
    }

    private static func address(_ name: String, from path: String, _ files: [String: StaticFiles.File]) -> String {
        guard !name.hasPrefix("/"), !name.hasPrefix("data:"), !name.hasPrefix("#") else { return name }
        let place = resolved(name, from: path)
        // Beside the sheet, so that a browser keeps it for ever, too; within the sheet the page's policy takes none.
        guard !place.hasSuffix(JoinedPage.font) else { return "." + place }
        guard let picture = files[place], picture.body.count <= pictureLimit else { return place }
        return "data:\(picture.type);base64,\(picture.body.base64)"
    }
}
