import Cryptography
import Games
import JSON
import RoomRules
import Transport
import WebProtocols

extension Connection: LinkChannel {}

/// Answers requests of other nodes where this one listens for them; see `LinkDial`. Each loop has one.
struct LinkDoor {
    static let helloPath = "/hello"
    static let linkPath = "/link"
    /// The scheme in `Authorization`, before the asker's proof in hexadecimal digits.
    static let scheme = "Flipside-Node"

    let settings: LinkSettings

    /// The two hellos on a connection that is not a link yet.
    private final class Greeting {
        let asker, answerer: NodeHello
        init(_ asker: NodeHello, _ answerer: NodeHello) { (self.asker, self.answerer) = (asker, answerer) }
    }

    enum Outcome {
        case answer(HTTPResponse)
        /// Refused because something does not fit.
        case fault(LinkFault, NodeName?)
        case link(Acceptance, NodeHello)
    }

    func answer(_ request: HTTPRequest, on connection: Connection) -> Outcome {
        switch (request.head.method, request.head.path) {
        case ("POST", Self.helloPath): greet(request.body, on: connection)
        case ("GET", Self.linkPath): link(request.head, on: connection)
        default:
            .answer(.problem(status: 404, code: "not-found", sentence: "Only nodes of the cluster are served here."))
        }
    }

    private func greet(_ body: [UInt8], on connection: Connection) -> Outcome {
        guard let fields = (try? JSONReader.read(body))?.object else {
            return .fault(LinkFault(.badHello, "the request is not a hello"), nil)
        }
        do throws(LinkFault) {
            let greeting = Greeting(try NodeHello(fields), settings.hello())
            connection.attachment = greeting
            let proof = settings.key.proof(by: .answerer, asker: greeting.asker, answerer: greeting.answerer)
            let answer = greeting.answerer.fields.merging(["proof": .string(proof.hex)])
            return .answer(
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/json"], body: JSONWriter.bytes(answer)))
        } catch { return .fault(error, nil) }
    }

    /// A greeting allows one proof.
    private func link(_ head: RequestHead, on connection: Connection) -> Outcome {
        guard let greeting = connection.attachment as? Greeting else {
            return .fault(LinkFault(.badHello, "it has not sent a hello"), nil)
        }
        connection.attachment = nil
        let (asker, own) = (greeting.asker, greeting.answerer)
        do throws(LinkFault) {
            let words = head.headers["Authorization"]?.split(separator: " ") ?? []
            guard words.count == 2, words[0] == Self.scheme, let proof = Digest(hex: words[1]),
                proof.isSame(as: settings.key.proof(by: .asker, asker: asker, answerer: own))
            else { throw .wrongKey }
            try own.check(asker)
            guard asker.name < own.name else {
                throw LinkFault(.badHello, "of two nodes, the one with the lesser name must connect")
            }
            do throws(HandshakeRefusal) {
                let acceptance = try OpeningHandshake.accept(head, subprotocols: [NodeHello.subprotocol])
                guard acceptance.subprotocol != nil else {
                    return .fault(LinkFault(.otherRelease, "it does not speak \(NodeHello.subprotocol)"), asker.name)
                }
                return .link(acceptance, asker)
            } catch { return .answer(error.response) }
        } catch { return .fault(error, asker.name) }
    }
}

/// This end of a link that another node has made.
public final class AcceptedLink {
    let connection: Connection
    let hello: NodeHello
    /// When it arrived.
    let came: Milliseconds
    /// Nil until it is linked.
    var link: NodeLink?

    init(_ connection: Connection, _ hello: NodeHello, at now: Milliseconds) {
        (self.connection, self.hello, came) = (connection, hello, now)
    }

    /// A message of the other node.
    public func messageArrived(_ message: RawSpan, _ kind: MessageKind) {
        link?.messageArrived(message, kind, on: connection)
    }

    func closed() {
        link?.ended(connection, LinkFault(.ended, "it closed the connection"))
        link = nil
    }

    /// Closes the connection and tells the other end why.
    func refuse(_ fault: LinkFault) { connection.refuse(fault.kind) }
}
