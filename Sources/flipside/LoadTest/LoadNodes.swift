import ArgumentParser
import Hub
import Transport

/// To which node a room's members come.
enum Placement: String, CaseIterable, ExpressibleByArgument {
    /// Each connection to the next one, as balancers have it that look at none.
    case spread
    /// All of a room to one, as a balancer has it that hashes the path: that is the room's home by it.
    case together
}

/// A hub, or the nodes of a cluster: `http://127.0.0.1:8080`, `http://10.0.0.1:8080,http://10.0.0.2:8080`.
struct LoadTargets: ExpressibleByArgument, Equatable {
    /// One at least.
    let urls: [HubURL]

    init?(argument: String) {
        var urls: [HubURL] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let url = HubURL(argument: String(part)) else { return nil }
            urls.append(url)
        }
        self.urls = urls
    }
}

/// What a load is put on: a hub, or the nodes of a cluster.
struct LoadNodes: Sendable {
    /// One at least.
    let endpoints: [ClientEndpoint]
    let placement: Placement

    /// To which of the endpoints a connection goes. `code`: empty while the room is none yet.
    func index(ofRoom code: String, _ number: Int) -> Int {
        let count = endpoints.count
        guard count > 1, !code.isEmpty, placement != .spread else { return number % count }
        return code.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF } % count
    }
}
