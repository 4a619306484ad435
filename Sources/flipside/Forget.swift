import ArgumentParser
import Foundation
import Hub
import Transport
import WebProtocols

struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give up a player's name: records then show \"someone\", and the name is free.",
        discussion: """
            Asks a hub that runs on the same log, as the same user. The player with this name only watches from that \
            moment on, and a seat in a game counts as absent; every chain still holds. Backups made before keep the \
            name. Ends with status 1 if no player has it, or no hub runs.
            """)

    /// For each step; a slower hub has other problems.
    private static let timeout = Duration.seconds(10)

    @Argument(help: "The player's name, in any case, as names are compared.")
    var name: String

    @OptionGroup var log: LogOptions

    func run() throws {
        let note = try log.operatorNote()
        var request = OneRequest(
            endpoint: ClientEndpoint(host: "127.0.0.1", port: note.port), method: "DELETE",
            target: "/api/players/" + Self.encoded(name), headers: ["Authorization": "Bearer \(note.token)"])
        (request.limits.connectTime, request.limits.answerTime) = (Self.timeout, Self.timeout)
        let answer: HTTPResponse
        do { answer = try request.answer() } catch {
            throw CommandLineError("The hub on \(try log.address().shown) does not answer: \(sentence(error)).")
        }
        switch answer.status {
        case 204: print("No player has the name `\(name)` now.")
        case 404: throw CommandLineError("There is no player `\(name)`.")
        default: throw CommandLineError("The hub refused (\(answer.status)): \(Self.detail(of: answer.body))")
        }
    }

    /// The sentence of an error; empty without one.
    private static func detail(of body: [UInt8]) -> String {
        // An answer without a JSON object has no sentence.
        let problem = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return problem?["detail"] as? String ?? ""
    }

    /// Encodes a name as one segment of a path (RFC 3986 section 2.1).
    private static func encoded(_ name: String) -> String {
        // Characters that need no encoding may be encoded too.
        name.utf8.map { String(format: "%%%02X", $0) }.joined()
    }
}
