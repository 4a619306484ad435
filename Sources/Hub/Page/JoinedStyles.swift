import Cryptography

/// Style sheets as one, in their order.
enum JoinedStyles {
    /// Bytes of a picture that stands in the sheet itself: it would cost a request, and wait for the sheet.
    private static let pictureLimit = 1_024

    /// `files`: all of the page, by path. What a sheet names beside itself is named from the root, or stands in it.
    static func body(_ paths: [String], of files: [String: StaticFiles.File]) -> String {
        paths.map { path in
            let text = withoutComments(files[path]?.body ?? [])
            let parts = text.split(separator: "url(\"", omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(String(parts.first ?? "")) { joined, part in
                let name = part.prefix { $0 != "\"" }
                return joined + "url(\"" + address(String(name), from: path, files) + part[name.endIndex...]
            }
        }.joined()
    }

    /// Nor blanks that stand for nothing: all that weighs a quarter of what is sent. What is in quotes holds neither.
    private static func withoutComments(_ sheet: [UInt8]) -> String {
        String(decoding: sheet, as: UTF8.self)
            .split(separator: "/*")
            .enumerated().map { $0 == 0 && !sheet.starts(with: "/*".utf8) ? $1 : $1.after("*/") }
            .joined()
            .split(separator: "\n").map { line in
                let words = line.drop { $0 == " " }
                return "{};,".contains(words.last ?? " ") ? String(words) : words + "\n"
            }
            .joined()
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

extension Substring {
    /// What stands behind the first `mark`; all of it where there is none.
    fileprivate func after(_ mark: String) -> Substring { firstRange(of: mark).map { self[$0.upperBound...] } ?? self }
}
