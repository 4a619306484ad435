import Cryptography
import Games
import JSON
import Transport
import WebProtocols

extension ClientConnection: LinkChannel {}

/// One attempt to be linked to a node that listens, and this end of the link that comes of it.
///
/// `POST /hello` says who this node is and is answered by who the other one is, with a proof that it has the key; `GET
/// /link` asks for the WebSocket, with this node's proof. Where something does not fit that is asked all the same, so
/// that both ends can say why they are not linked.
final class LinkDial: ClientConnectionDelegate {
    /// Nil once nobody waits for it.
    private var link: NodeLink?
    private let links: LoopLinks
    /// Whether it is only to be seen that somebody listens.
    private let isKnock: Bool
    private var client: ClientConnection?
    private let own: NodeHello
    private var other: NodeHello?
    /// What does not fit.
    private var fault: LinkFault?
    private var isLinked = false

    init(_ link: NodeLink, _ links: LoopLinks, isKnock: Bool) {
        (self.link, self.links, self.isKnock) = (link, links, isKnock)
        own = links.settings.hello()
        var limits = ClientLimits()
        let linkLimits = links.settings.limits
        limits.connectTime = .milliseconds(linkLimits.silence)
        limits.messages = MessageLimits(frameBytes: linkLimits.messageBytes, messageBytes: linkLimits.messageBytes)
        // The link sees to that.
        limits.queueLimitBytes = .max
        let endpoint = ClientEndpoint(
            host: link.address.host, port: link.address.port, tls: link.address.isTLS ? links.settings.tls : nil)
        let client = links.context.connect(to: endpoint, limits: limits, delegate: self)
        if !isKnock { client.ask("POST", LinkDoor.helloPath, body: JSONWriter.bytes(own.fields)) }
        self.client = client
    }

    /// Nobody waits for it any more.
    func abandon() {
        link = nil
        client?.abort()
        client = nil
    }

    func connected(_ client: ClientConnection) {
        guard isKnock, let link else { return }
        abandon()
        link.knocked()
    }

    /// The other node has said who it is.
    func answered(_ response: HTTPResponse, to client: ClientConnection) {
        guard let link else { return }
        guard response.status == 200 else { return fail(LinkFault(response)) }
        do throws(LinkFault) {
            guard let fields = (try? JSONReader.read(response.body))?.object,
                let digits = fields["proof"]?.string, let proof = Digest(hex: digits)
            else { throw LinkFault(.badHello, "its answer is no hello") }
            let other = try NodeHello(fields)
            self.other = other
            let key = links.settings.key
            if !proof.isSame(as: key.proof(by: .answerer, asker: own, answerer: other)) {
                fault = .wrongKey
            } else if other.name != link.node {
                fault = LinkFault(.wrongNode, "at \(link.address) there is \(other.name.text)")
            } else if other.run != link.run {
                fault = LinkFault(.wrongNode, "at \(link.address) there is another run of it, which is to join first")
            } else {
                do throws(LinkFault) { try own.check(other) } catch { fault = error }
            }
            client.upgrade(
                LinkDoor.linkPath, subprotocols: [NodeHello.subprotocol],
                headers: [
                    "Authorization":
                        "\(LinkDoor.scheme) \(key.proof(by: .asker, asker: own, answerer: other).hex)"
                ])
        } catch { fail(error) }
    }

    func upgraded(_ client: ClientConnection, subprotocol: String?) {
        if let fault { return fail(fault) }
        if subprotocol != NodeHello.subprotocol {
            fail(LinkFault(.otherRelease, "it speaks no \(NodeHello.subprotocol)"))
        }
    }

    func received(_ message: RawSpan, kind: MessageKind, on client: ClientConnection) {
        guard let link else { return }
        if isLinked { return link.received(message, kind, on: client) }
        guard kind == .text, let other, message.withUnsafeBytes({ $0.elementsEqual(NodeLink.Word.linked) }) else {
            return fail(LinkFault(.badMessage, "it does not say that it is linked"))
        }
        isLinked = true
        link.linked(self, client, reading: other.eventTypes)
    }

    func ended(_ client: ClientConnection, _ end: ClientEnd) {
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
