import Games
import RoomRules
import WebProtocols

// The page at its addresses, with the preview that a link to each shows where it is pasted. This wakes no room, since a
// room's row has everything. It counts only requests with wrong codes.
extension API {
    /// `GET /`.
    func showHome(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        let texts = texts(of: request)
        var preview = home(texts)
        preview.path = "/"
        return .value(try page(request, preview, in: texts))
    }

    /// `GET /room/{code}`.
    func showRoom(_ request: RoutedRequest) -> Future<HTTPResponse> {
        preview(of: request, asking: [""]) { room, names, texts in room.room(names: names, in: texts) }
    }

    /// `GET /replay/{code}`.
    func showReplay(_ request: RoutedRequest) -> Future<HTTPResponse> {
        preview(of: request, asking: ["", "/log?after=0"]) { room, names, texts in
            room.replay(names: names, in: texts)
        }
    }

    /// The answer for a path that no route has.
    func file(_ head: RequestHead, isAPI: Bool) throws(RequestError) -> HTTPResponse {
        if isAPI { throw RequestError(404, .nothingHere) }
        guard let response = files.file(head) else { return try nothing(at: head) }
        guard Route.Method.get.names.contains(head.method) else {
            throw notAllowed(methods: Route.Method.get.names)
        }
        return response
    }

    /// A page for a browser, a problem for a program.
    private func nothing(at head: RequestHead) throws(RequestError) -> HTTPResponse {
        let isRead = Route.Method.get.names.contains(head.method)
        if isRead, head.asksForPage, let page = files.nothingHere(head) { return page }
        throw RequestError(404, .nothingHere, headers: ["Vary": "Accept"])
    }

    /// `data` has the API paths that the page will ask for. The page links them as preloads, as it does its sentences
    /// in other languages, so that they load together with its script.
    private func page(
        _ request: RoutedRequest, _ preview: Preview, in texts: PreviewTexts, data: [String] = []
    ) throws(RequestError) -> HTTPResponse {
        let links =
            data.map { "<link rel=\"preload\" as=\"fetch\" crossorigin=\"anonymous\" href=\"\($0)\">" }
            + files.sentences(in: texts.language).map { "<link rel=\"modulepreload\" href=\"\($0)\">" }
        let tags = ([preview.tags(in: texts, at: options.origin(of: request))] + links).joined(separator: "\n  ")
        guard let page = files.page(request.head, tags: tags) else { return try nothing(at: request.head) }
        return page
    }

    /// In the language that the request asks for, which holds for programs that fetch previews too.
    private func texts(of request: RoutedRequest) -> PreviewTexts {
        PreviewTexts.spoken(request.head.language(of: PreviewTexts.all.map(\.language)))
    }

    /// The preview of a page that shows no room.
    private func home(_ texts: PreviewTexts) -> Preview {
        if let home = homes[texts.language] { return home }
        let games = surroundings.games.games.map { $0.titles[texts.language] ?? $0.titles["en"] ?? $0.name }
        let home = Preview(
            title: Preview.brand, description: PreviewTexts.fill(texts.home, ["games": texts.list(games)]))
        homes[texts.language] = home
        return home
    }

    /// `questions` are what the page will ask the API about the room, written as in `net/room-log.js` and the pages.
    private func preview(
        of request: RoutedRequest, asking questions: [String],
        _ tell: @escaping (RoomPreview, [PlayerID: String], PreviewTexts) -> Preview
    ) -> Future<HTTPResponse> {
        let texts = texts(of: request)
        // The code may be typed in any form; the page reads it in the same way.
        let code = request.parameter.lowercased().filter { $0.isLetter || $0.isNumber }
        let isCode = code.utf8.count <= Self.codeLimit && code.allSatisfy(\.isASCII)
        let data = isCode ? questions.map { "/api/rooms/\(code)\($0)" } : []
        let failures = surroundings.addressLimits.failures
        guard isCode, !failures.isPast(request.peer, now: surroundings.now) else {
            return Future.value(()).map { [self] () throws(RequestError) in
                try page(request, home(texts), in: texts, data: data)
            }
        }
        return rows(.rooms(codes: [code]))
            .map { [self] rows in
                if rows.isEmpty, failures.count(request.peer, now: surroundings.now) != .withinLimit {
                    surroundings.hit(.failuresPerMinute, by: request.peer)
                }
                let present = surroundings.presence.count(in: code).present
                return rows.first.flatMap { RoomPreview($0, present: present, games: surroundings.games, in: texts) }
            }
            .then { [self] room in
                guard let room else { return .value(home(texts)) }
                return rows(.players(ids: room.named)).map { players in
                    let names = Dictionary(players.map { ($0.id, $0.name) }) { first, _ in first }
                    return tell(room, names, texts)
                }
            }
            .map { [self] preview throws(RequestError) in try page(request, preview, in: texts, data: data) }
    }

    /// No rows if the read models cannot be read, since the page is shown all the same.
    private func rows<Row>(_ query: ReadModelQuery<Row>) -> Future<[Row]> {
        Future { [readModels] done in
            readModels.find(query) { result in
                guard case .success(let rows) = result else { return done(.success([])) }
                done(.success(rows))
            }
        }
    }
}

extension HubOptions {
    /// The address where people reach the hub: the operator's setting, or else the request's own; nil if that is not an
    /// address.
    fileprivate func origin(of request: RoutedRequest) -> WebOrigin? {
        publicURL ?? WebOrigin(scheme: request.peer.isTLS ? "https" : "http", authority: request.head.authority)
    }
}

extension Rejection {
    static let nothingHere = Rejection("not-found", "There is nothing at this address.")
}
