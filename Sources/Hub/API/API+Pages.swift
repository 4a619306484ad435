import Games
import RoomRules
import WebProtocols

// The page at its addresses, with what a link to each shows where it is pasted. No room is woken by that: its row says
// it all. Nobody is counted but who tries wrong codes.
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

    /// What is at the address of no route.
    func file(_ head: RequestHead, isAPI: Bool) throws(RequestError) -> HTTPResponse {
        if isAPI { throw RequestError(404, .nothingHere) }
        guard let response = files.file(head) else { return try nothing(at: head) }
        guard Route.Method.get.names.contains(head.method) else {
            throw notAllowed(methods: Route.Method.get.names)
        }
        return response
    }

    /// A page for who opened the address in a browser, a problem for a program.
    private func nothing(at head: RequestHead) throws(RequestError) -> HTTPResponse {
        let isRead = Route.Method.get.names.contains(head.method)
        if isRead, head.asksForPage, let page = files.nothingHere(head) { return page }
        throw RequestError(404, .nothingHere, headers: ["Vary": "Accept"])
    }

    /// `data`: what the page will ask the API for. It is named ahead, as are its sentences in another language, so that
    /// they come together with the page's script.
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

    /// In the language of whoever asks, a program that fetches previews too.
    private func texts(of request: RoutedRequest) -> PreviewTexts {
        PreviewTexts.spoken(request.head.language(of: PreviewTexts.all.map(\.language)))
    }

    /// Of what nothing more is said.
    private func home(_ texts: PreviewTexts) -> Preview {
        if let home = homes[texts.language] { return home }
        let games = surroundings.games.games.map { $0.titles[texts.language] ?? $0.titles["en"] ?? $0.name }
        let home = Preview(
            title: Preview.brand, description: PreviewTexts.fill(texts.home, ["games": texts.list(games)]))
        homes[texts.language] = home
        return home
    }

    /// `asking`: what the page asks of the room behind its address in the API, as `net/room-log.js` and the pages write
    /// it.
    private func preview(
        of request: RoutedRequest, asking questions: [String],
        _ tell: @escaping (RoomPreview, [PlayerID: String], PreviewTexts) -> Preview
    ) -> Future<HTTPResponse> {
        let texts = texts(of: request)
        // However it was typed, as the page reads it.
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

    /// None where the read models cannot be read: the page is there all the same.
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
    /// Where people reach the hub: as its operator says, else as the request does; nil where that is no address.
    fileprivate func origin(of request: RoutedRequest) -> WebOrigin? {
        publicURL ?? WebOrigin(scheme: request.peer.isTLS ? "https" : "http", authority: request.head.authority)
    }
}

extension Rejection {
    static let nothingHere = Rejection("not-found", "There is nothing at this address.")
}
