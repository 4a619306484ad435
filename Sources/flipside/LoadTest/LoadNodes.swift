import ArgumentParser
import Transport

/// Which node a room's members connect to.
enum Placement: String, CaseIterable, ExpressibleByArgument {
    /// Each connection to the next one, like a balancer that distributes blindly.
    case spread
    /// All of a room to one, like a balancer that hashes the path. That makes it the room's home.
    case together
}

/// A hub, or the nodes of a cluster: `http://127.0.0.1:8080`, `http://10.0.0.1:8080,http://10.0.0.2:8080`.
struct LoadTargets: ExpressibleByArgument, Equatable {
    /// At least one.
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

/// The target of a load: a hub, or the nodes of a cluster.
struct LoadNodes: Sendable {
    /// At least one.
    let endpoints: [ClientEndpoint]
    let placement: Placement

    /// Which endpoint a connection goes to. `code` is empty until the room is opened.
    func index(ofRoom code: String, _ number: Int) -> Int {
        let count = endpoints.count
        guard count > 1, !code.isEmpty, placement != .spread else { return number % count }
        return code.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF } % count
    }
}
