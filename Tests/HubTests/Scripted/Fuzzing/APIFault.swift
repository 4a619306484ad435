import Games
import JSON
import WebProtocols

@testable import Hub

/// The broken rule for the hub's answers to any sequence of requests; nil if all hold. Each request is answered once,
/// with a known status, fields of one line each and a body of its declared type.
func apiFault(_ bytes: [UInt8]) -> String? {
    let hub = FuzzedHub(FuzzedHub.logs[0]).hub
    defer { hub.stop() }
    var decoder = RequestDecoder(limits: HTTPLimits())
    var offset = 0
    for _ in 0..<8 {
        // Bytes that are not a request are another target's subject.
        guard let request = try? decoder.next(bytes.span.bytes, at: &offset) else { return nil }
        let response = hub.send(request)
        if let fault = fault(in: response, to: request.head) { return "\(request.head.target): \(fault)" }
    }
    return nil
}

private func fault(in response: ScriptedResponse, to head: RequestHead) -> String? {
    guard response.isEnded || response.status == 101 else { return "no answer" }
    guard (200...599).contains(response.status) || response.status == 101 else { return "status \(response.status)" }
    guard response.headers.fields.allSatisfy({ HeaderFields.isValid(value: $0.value) }) else { return "a broken field" }
    if response.status == 405, response.headers["Allow"] == nil { return "no method allowed" }
    if response.headers["Content-Encoding"] == "gzip" { return nil }
    if response.headers["Content-Type"]?.contains("json") == true, response.headers["Content-Type"] != ndjson,
        (try? JSONReader.read(response.body)) == nil
    {
        return "no JSON: \(String(decoding: response.body, as: UTF8.self))"
    }
    return nil
}

private let ndjson = "application/x-ndjson"
