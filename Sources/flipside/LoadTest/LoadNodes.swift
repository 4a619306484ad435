import ArgumentParser
import Hub
import Transport

/// To which node a room's members come.
enum Placement: String, CaseIterable, ExpressibleByArgument {
    /// Each connection to the next one, as balancers have it that look at none.
    case spread
    /// All of a room to one, as a balancer has it that hashes the path.
    case together
    /// All of a room to the one that judges it.
    case home
    /// All of a room to one that does not.
    case away

    /// Whether it has to be known what the nodes are called.
    var asksForNames: Bool { self == .home || self == .away }
}

/// A hub, or the nodes of a cluster: `http://127.0.0.1:8080`, `alpha=http://10.0.0.1:8080,beta=http://10.0.0.2:8080`.
struct LoadTargets: ExpressibleByArgument, Equatable {
    /// One at least.
    let urls: [HubURL]
    /// As `serve --node` has them, each once: of all that are named.
    let names: [String]

    init?(argument: String) {
        var (urls, names) = ([HubURL](), [String]())
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let last = halves.last, let url = HubURL(argument: String(last)) else { return nil }
            urls.append(url)
            if halves.count == 2 { names.append(String(halves[0])) }
        }
        guard !names.contains(""), Set(names).count == names.count else { return nil }
        (self.urls, self.names) = (urls, names)
    }
}

/// What a load is put on: a hub, or the nodes of a cluster.
struct LoadNodes: Sendable {
    /// One at least.
    let endpoints: [ClientEndpoint]
    /// As many, where the placement asks for them.
    let names: [String]
    let placement: Placement

    /// To which of the endpoints a connection goes. `code`: empty while the room is none yet.
    func index(ofRoom code: String, _ number: Int) -> Int {
        let count = endpoints.count
        guard count > 1, !code.isEmpty, placement != .spread else { return number % count }
        let hash = code.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
        guard placement.asksForNames, let home = names.firstIndex(of: ClusterMap.home(ofRoom: code, among: names))
        else { return hash % count }
        return placement == .home ? home : (home + 1 + hash % (count - 1)) % count
    }
}
