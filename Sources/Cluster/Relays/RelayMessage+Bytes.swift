import Rooms
import Transport
import WebProtocols

private enum Kind: UInt8 {
    case opened = 1, hello, said, full, drained, closed, taken
    case greeting, answer, replaceable, broadcast, paused, servedLast, close, heard
}

// In the form of `NodeMessage`.
extension BinaryWriter {
    mutating func put(_ message: RelayMessage) {
        switch message {
        case .opened(let id, let peer):
            put(.opened, id)
            put(bits: UInt64(truncatingIfNeeded: peer.address.bits >> 64))
            put(bits: UInt64(truncatingIfNeeded: peer.address.bits))
            put(byte: (peer.isTLS ? 1 : 0) | (peer.isLimited ? 2 : 0))
        case .hello(let id, let hello):
            put(.hello, id)
            put(hello.tokenHash.map { [$0] } ?? []) { $0.put($1) }
            put(hello.after.map { [$0] } ?? []) { $0.put($1) }
            put(hello.head.map { [$0] } ?? []) { $0.put($1.bytes) }
        case .said(let id, let text):
            put(.said, id)
            put(text)
        case .full(let id, let greeting):
            put(.full, id)
            put(greeting)
        case .drained(let id, let greeting):
            put(.drained, id)
            put(greeting)
        case .closed(let id): put(.closed, id)
        case .greeting(let id, let number, let texts):
            put(.greeting, id)
            put(number)
            put(texts) { $0.put($1) }
        case .answer(let id, let text):
            put(.answer, id)
            put(text)
        case .replaceable(let id, let text):
            put(.replaceable, id)
            put(text)
        case .broadcast(let text):
            put(byte: Kind.broadcast.rawValue)
            put(text)
        case .paused(let id): put(.paused, id)
        case .servedLast(let id, let isLast):
            put(.servedLast, id)
            put(byte: isLast ? 1 : 0)
        case .close(let id, let code, let reason):
            put(.close, id)
            put(Int(code.rawValue))
            put(reason)
        case .taken(let count):
            put(byte: Kind.taken.rawValue)
            put(count)
        case .heard(let id, let count):
            put(.heard, id)
            put(count)
        }
    }

    private mutating func put(_ kind: Kind, _ id: RelayedID) {
        put(byte: kind.rawValue)
        put(bits: id)
    }
}

extension BinaryReader {
    mutating func relayMessage() throws(NodeMessageViolation) -> RelayMessage {
        guard let kind = Kind(rawValue: try byte()) else { throw violation("a kind of relay message") }
        switch kind {
        case .broadcast: return .broadcast(try bytes())
        case .taken: return .taken(try count())
        default: break
        }
        let id = try bits()
        switch kind {
        case .opened:
            let address = IPAddress(bits: UInt128(try bits()) << 64 | UInt128(try bits()))
            let flags = try byte()
            guard flags <= 3 else { throw violation("flags for TLS and limits") }
            return .opened(id, Peer(address: address, isTLS: flags & 1 != 0, isLimited: flags & 2 != 0))
        case .hello:
            let hash = try list { reader throws(NodeMessageViolation) in try reader.text() }.first
            let after = try list { reader throws(NodeMessageViolation) in try reader.count() }.first
            let head = try list { reader throws(NodeMessageViolation) in try reader.digest() }.first
            return .hello(id, ClientMessage.Hello(tokenHash: hash, after: after, head: head))
        case .said: return .said(id, try bytes())
        case .full: return .full(id, greeting: try count())
        case .drained: return .drained(id, greeting: try count())
        case .closed: return .closed(id)
        case .greeting:
            let number = try count()
            let texts = try list { reader throws(NodeMessageViolation) in try reader.bytes() }
            return .greeting(id, number: number, texts)
        case .answer: return .answer(id, try bytes())
        case .replaceable: return .replaceable(id, try bytes())
        case .paused: return .paused(id)
        case .servedLast:
            let isLast = try byte()
            guard isLast <= 1 else { throw violation("0 or 1") }
            return .servedLast(id, isLast == 1)
        case .close:
            guard let number = UInt16(exactly: try count()), CloseCode(rawValue: number).isValidOnWire else {
                throw violation("a close code")
            }
            return .close(id, CloseCode(rawValue: number), try text())
        case .heard: return .heard(id, try count())
        case .broadcast, .taken: preconditionFailure("read above")
        }
    }
}
