import Cryptography
import JSON
import Transport
import WebProtocols

extension ClientConnection: LinkChannel {}

/// An attempt to connect to a listening node, and then this end of the link.
///
/// `POST /hello` introduces this node, and the answer introduces the other one and proves that it has the key. `GET
/// /link` asks for the WebSocket with this node's proof. It is sent even if something does not fit, so that both ends
/// can report the reason.
final class LinkDial: ClientConnectionDelegate {
    /// Nil once no link waits for it.
    private var link: NodeLink?
    private let links: LoopLinks
    /// Whether this only checks that the port is open.
    private let isKnock: Bool
    private var client: ClientConnection?
    private let own: NodeHello
    private var other: NodeHello?
    /// What does not fit; nil if nothing.
    private var fault: LinkFault?
    private var isLinked = false

    init(_ link: NodeLink, _ links: LoopLinks, isKnock: Bool) {
        (self.link, self.links, self.isKnock) = (link, links, isKnock)
        own = links.settings.hello()
        var limits = ClientLimits()
        let linkLimits = links.settings.limits
        limits.connectTime = .milliseconds(linkLimits.silence)
        limits.messages = MessageLimits(frameBytes: linkLimits.messageBytes, messageBytes: linkLimits.messageBytes)
        // The link checks its queue itself.
        limits.queueLimitBytes = .max
        let endpoint = ClientEndpoint(
            host: link.address.host, port: link.address.port, tls: link.address.isTLS ? links.settings.tls : nil)
        let client = links.context.connect(to: endpoint, limits: limits, delegate: self)
        if !isKnock { client.ask("POST", LinkDoor.helloPath, body: JSONWriter.bytes(own.fields)) }
        self.client = client
    }

    /// The link no longer waits for it.
    func abandon() {
        link = nil
        client?.abort()
        client = nil
    }

    func clientConnected(_ client: ClientConnection) {
        guard isKnock, let link else { return }
        abandon()
        link.knocked()
    }

    /// The other node has introduced itself.
    func responseArrived(_ response: HTTPResponse, to client: ClientConnection) {
        guard let link else { return }
        guard response.status == 200 else { return fail(LinkFault(response)) }
        do throws(LinkFault) {
            guard let fields = (try? JSONReader.read(response.body))?.object,
                let digits = fields["proof"]?.string, let proof = Digest(hex: digits)
            else { throw LinkFault(.badHello, "its answer is not a hello") }
            let other = try NodeHello(fields)
            self.other = other
            let key = links.settings.key
            if !proof.isSame(as: key.proof(by: .answerer, asker: own, answerer: other)) {
                fault = .wrongKey
            } else if other.name != link.node {
                fault = LinkFault(.wrongNode, "the node at \(link.address) is \(other.name.text)")
            } else if other.run != link.run {
                fault = LinkFault(.wrongNode, "the run at \(link.address) is another one, which must join first")
            } else {
                do throws(LinkFault) { try own.check(other) } catch { fault = error }
            }
            client.upgrade(
                LinkDoor.linkPath, subprotocols: [NodeHello.subprotocol],
                headers: [
                    "Authorization": "\(LinkDoor.scheme) \(key.proof(by: .asker, asker: own, answerer: other).hex)"
                ])
        } catch { fail(error) }
    }

    func clientUpgraded(_ client: ClientConnection, subprotocol: String?) {
        if let fault { return fail(fault) }
        if subprotocol != NodeHello.subprotocol {
            fail(LinkFault(.otherRelease, "it does not speak \(NodeHello.subprotocol)"))
        }
    }

    func messageArrived(_ message: RawSpan, kind: MessageKind, on client: ClientConnection) {
        guard let link else { return }
        if isLinked { return link.messageArrived(message, kind, on: client) }
        guard kind == .text, let other, message.withUnsafeBytes({ $0.elementsEqual(NodeLink.Word.linked) }) else {
            return fail(LinkFault(.badMessage, "it does not say that it is linked"))
        }
        isLinked = true
        link.linked(self, client, reading: other.eventTypes)
    }

    func clientEnded(_ client: ClientConnection, _ end: ClientEnd) {
        guard let link else { return }
        self.link = nil
        self.client = nil
        if isLinked { link.ended(client, LinkFault(end)) } else { link.failed(self, fault ?? LinkFault(end)) }
    }

    private func fail(_ fault: LinkFault) {
        let link = link
        abandon()
        link?.failed(self, fault)
    }
}
