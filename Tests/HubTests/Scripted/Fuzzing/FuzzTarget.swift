import ProtocolOracles
import WebProtocols

/// A reader or judge of what others send or have written, with rules that must hold for any input. `scripts/fuzz`
/// searches for inputs that break them. A test gives each target the inputs in its folder of `Tests/Fuzz/corpora`.
struct FuzzTarget: Sendable {
    /// As `scripts/fuzz` takes it.
    let name: String
    /// What is read or judged, in a few words. `scripts/fuzz` finds them here, one target on each line.
    let subject: String
    /// The broken rule for an input; nil if all hold.
    let fault: @Sendable ([UInt8]) -> String?

    init(_ name: String, _ subject: String, _ fault: @escaping @Sendable ([UInt8]) -> String?) {
        (self.name, self.subject, self.fault) = (name, subject, fault)
    }

    static let all: [FuzzTarget] = [
        FuzzTarget("http", "requests of HTTP/1.1, however they are cut") { requestFault($0, behind: []) },
        FuzzTarget("upgrade", "the fields of an opening handshake") { requestFault($0, behind: upgrade) },
        FuzzTarget("answers", "answers of HTTP, as a client reads them", answerFault),
        FuzzTarget("negotiation", "fields that choose an answer: codings, languages, tags, ranges", negotiationFault),
        FuzzTarget("frames", "a client's frames, masked") { messageFault($0, from: .client) },
        FuzzTarget("messages", "frames without masks: the fuzzer sees through to the texts") {
            messageFault($0, from: .server)
        },
        FuzzTarget("inflate", "compressed messages") { messageFault($0, from: .server, inflater: Inflater()) },
        FuzzTarget("proxy", "PROXY headers of both versions") { proxyHeaderFault($0, limit: 300) },
        FuzzTarget("forwarded", "Forwarded and X-Forwarded-For, line by line", forwardingFault),
        FuzzTarget("addresses", "addresses, blocks of them, origins and hosts", addressFault),
        FuzzTarget("json", "JSON, and messages, commands and events in it", jsonFault),
        FuzzTarget("options", "the options of every game", optionsFault),
        FuzzTarget("names", "names of players", nameFault),
        FuzzTarget("codes", "account codes, tokens, and names of streams", codeFault),
        FuzzTarget("previews", "what links show of a room", previewFault),
        FuzzTarget("requests", "the hub's answers to any requests", apiFault),
        FuzzTarget("room", "a room with players: what anybody says, and time", roomFault),
        FuzzTarget("log", "a room that wakes with any log", logFault),
        FuzzTarget("records", "records of accounts, names, tokens and of the hub", recordFault),
    ]

    /// The start of a request for a WebSocket, to which fields are added.
    private static let upgrade = Array(
        "GET /ws/lobby HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n".utf8)
}

// The first byte says where the rest is cut. Limits are so low that short inputs exceed them.

private func messageFault(_ input: [UInt8], from sender: Endpoint, inflater: Inflater? = nil) -> String? {
    let (bytes, cuts) = cut(input)
    return messageFault(
        bytes, cutAt: cuts, limits: MessageLimits(frameBytes: 300, messageBytes: 400), from: sender,
        inflater: inflater)
}

private func requestFault(_ input: [UInt8], behind start: [UInt8]) -> String? {
    let (bytes, cuts) = cut(input)
    let low = HTTPLimits(headBytes: 400, fieldCount: 8, targetBytes: 64, bodyBytes: 32)
    return requestFault(start + bytes, cutAt: cuts, limits: start.isEmpty ? low : HTTPLimits())
}

private func answerFault(_ input: [UInt8]) -> String? {
    let (bytes, cuts) = cut(input)
    return responseFault(bytes, cutAt: cuts, limits: HTTPLimits(headBytes: 400, fieldCount: 8, bodyBytes: 32))
}

private func cut(_ input: [UInt8]) -> (bytes: [UInt8], cuts: [Int]) {
    var generator = SeededGenerator(seed: UInt64(input.first ?? 0))
    let bytes = Array(input.dropFirst())
    return (bytes, generator.cuts(in: bytes.count, limit: 4))
}
