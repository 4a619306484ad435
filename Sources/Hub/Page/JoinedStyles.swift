import Cryptography

/// Joins style sheets into one, in order.
enum JoinedStyles {
    /// Pictures up to this size become part of the sheet. Each would cost a request, and wait for the sheet.
    private static let pictureLimit = 1_024

    /// `files` are all of the page's, by path. A sheet's relative addresses become absolute or are replaced by the
    /// file.
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

    /// Also removes blanks without a meaning. Both are a quarter of the bytes. Quoted text in a sheet has neither.
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
        // Beside the sheet, so that browsers keep it for ever too. The page's policy forbids fonts within the sheet.
        guard !place.hasSuffix(JoinedPage.font) else { return "." + place }
        guard let picture = files[place], picture.body.count <= pictureLimit else { return place }
        return "data:\(picture.type);base64,\(picture.body.base64)"
    }
}

extension Substring {
    /// The text after the first `mark`, or all of it if there is none.
    fileprivate func after(_ mark: String) -> Substring { firstRange(of: mark).map { self[$0.upperBound...] } ?? self }
}
