import Cluster
import Cryptography
import Foundation
import Hub
import Transport

// The options of a node among others.
extension ServeSettings {
    /// Takes the options that only make sense together.
    mutating func takeNode() throws(CommandLineError) {
        let linkOptions = [("--node-listen", nodeListen), ("--node-url", nodeURL), ("--cluster-key", clusterKey)]
        let more = [nodeCertificate, nodeKey, nodeAuthority]
        guard case .postgreSQL = options.log else {
            let all = [nodeName] + linkOptions.map(\.1) + more
            guard let one = all.compactMap({ $0 }).first else { return }
            throw CommandLineError(
                "\(one.source) is of no use with a log of SQLite, which one hub has for itself: name a PostgreSQL "
                    + "database with --log.")
        }
        options.node.name = nodeName?.text ?? standardName
        guard let given = linkOptions.compactMap(\.1).first else {
            guard let one = more.compactMap({ $0 }).first else { return }
            throw CommandLineError("\(one.source) is of no use without --node-listen.")
        }
        if let lacking = linkOptions.first(where: { $0.1 == nil }) {
            throw CommandLineError("\(given.source) is of no use without \(lacking.0): a node needs them all.")
        }
        guard let nodeAddress, let clusterKey else { return }
        var links = NodeLinkOptions(address: nodeAddress, key: try key(in: clusterKey))
        try takeTLS(of: nodeAddress)
        if let nodeAuthority { links.trust = .authority(path: nodeAuthority.text) }
        options.node.links = links
    }

    private var standardName: String {
        let port = options.transport.addresses.first.map { ":\($0.port)" } ?? ""
        return ProcessInfo.processInfo.hostName + port
    }

    private func key(in given: ServeOption.Given) throws(CommandLineError) -> ClusterKey {
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(fileURLWithPath: given.text)) } catch {
            throw CommandLineError("The key in \(given.text) cannot be read (\(given.source)).")
        }
        // Editors and `echo` end their output with a newline.
        let trimmed = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
        guard let key = ClusterKey(Array(trimmed)) else {
            throw CommandLineError(
                "The key in \(given.text) is too short: it must have \(ClusterKey.leastBytes) bytes or more "
                    + "(\(given.source)).")
        }
        return key
    }

    private mutating func takeTLS(of address: NodeAddress) throws(CommandLineError) {
        let pair = [nodeCertificate, nodeKey].compactMap { $0 }
        guard address.isTLS else {
            guard let one = (pair + [nodeAuthority].compactMap { $0 }).first else { return }
            throw CommandLineError("\(one.source) is of no use while --node-url does not begin with https.")
        }
        guard let nodeCertificate, let nodeKey else {
            throw CommandLineError("An https --node-url needs --node-tls-cert and --node-tls-key.")
        }
        options.transport.nodeTLS = TLSOptions(
            pairs: [TLSFiles(certificate: nodeCertificate.text, key: nodeKey.text)])
    }
}
