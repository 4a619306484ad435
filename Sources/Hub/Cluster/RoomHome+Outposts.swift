import Cryptography
import EventStore
import Games

// What a home does for the edges on other nodes.
extension RoomHome {
    func tell(_ message: RoomMessage, to node: NodeName) {
        guard let session = outposts.session(of: node) else { return }
        surroundings.cluster?.send(.room(stream.code, session, message), to: node)
    }

    func tellAll(_ message: RoomMessage) { for node in outposts.nodes { tell(message, to: node) } }

    /// A node has members of the room, and is told from now on what is shown; also one that was told before.
    func attach(_ node: NodeName, _ session: NodeSession, _ attachment: Attachment) {
        // What it asked for before it asks for again.
        queue.removeAll(of: node)
        hear(of: node, attachment.audience, since: attachment.since)
        let before = outposts[node]?.party ?? Outposts.Party()
        outposts.add(Outposts.Outpost(node: node, session: session, party: before), beside: edge?.audience)
        let lines = edge?.said ?? []
        tell(.attached(stream.state.end, said: lines, others: outposts.others(than: node)), to: node)
        // Whoever was there all the time has not gone meanwhile.
        greet(attachment.audience, by: node)
        letGo(before, of: node)
        for said in attachment.said { hear(said, from: node) }
        goOn()
    }

    /// Others are there by an edge than it has said.
    func replaceAudience(of node: NodeName, by audience: Audience) {
        guard let before = outposts[node]?.party else { return }
        greet(audience, by: node)
        letGo(before, of: node)
    }

    /// A home of this room on this node knew these edges, and has gone back with the log: each attaches anew, and until
    /// then nobody there is heard, nor has gone.
    func expect(_ before: Outposts) {
        for outpost in before.all where surroundings.cluster?.has(outpost.node) == true {
            let since = outpost.unheardSince ?? surroundings.now
            let again = Outposts.Outpost(node: outpost.node, session: outpost.session, party: Outposts.Party())
            outposts.add(again, beside: edge?.audience)
            greet(outpost.party.audience, by: outpost.node)
            outposts.fallSilent(outpost.node, since: since)
        }
    }

    /// These are there by an edge, beside those who are known to be. `node`: nil is the home's own.
    func greet(_ audience: Audience, by node: NodeName? = nil) {
        for _ in 0..<audience.connections { receive(.opened, from: node) }
        for player in audience.players { receive(.came(player.id, name: player.name), from: node) }
        receive(.watching(audience.nameless), from: node)
    }

    /// All these connections are none any more.
    private func letGo(_ party: Outposts.Party, of node: NodeName) {
        for player in party.players.keys.sorted() {
            for _ in 0..<(party.players[player] ?? 0) { receive(.went(player), from: node) }
        }
        for _ in 0..<party.connections { receive(.closed, from: node) }
    }

    /// An edge has no members any more; of one that is not heard yet this may be said in a session that was refused.
    func detach(_ node: NodeName, _ session: NodeSession) {
        guard let outpost = outposts[node], outpost.session == session || outpost.unheardSince != nil else { return }
        forget(node)
    }

    /// Nobody is there any more by an edge. Where the node is there after all, it says so again.
    func forget(_ node: NodeName) {
        guard let outpost = outposts[node] else { return }
        queue.removeAll(of: node)
        hear(of: node)
        tell(.refused(.unknown), to: node)
        receive(.watching(0), from: node)
        letGo(outpost.party, of: node)
        outposts.remove(node)
        if outposts.isEmpty { outposts.own = Outposts.Party() }
        if outpost.unheardSince != nil { goOn() }
    }

    /// No edge elsewhere is told anything any more.
    func forgetAll(because refusal: RoomMessage.Refusal) {
        tellAll(.refused(refusal))
        outposts = Outposts()
    }

    /// Has all other edges know who is there by this one. `node`: nil is the home's own.
    func passOn(_ report: AttendanceReport, from node: NodeName?) {
        guard !outposts.isEmpty, outposts.note(report, from: node) else { return }
        for target in [nil] + outposts.nodes where target != node {
            switch report {
            // Who is there by a third one is known to be.
            case .came(let player, _), .went(let player):
                if !outposts.isThere(player, butBy: node, and: target) { tellEdge(report, at: target) }
            case .watching: tellEdge(.watching(outposts.nameless(butBy: target)), at: target)
            case .opened, .closed, .greeted, .spoke: break
            }
        }
    }

    private func tellEdge(_ report: AttendanceReport, at node: NodeName?) {
        if let node { tell(.others(report), to: node) } else { edge?.receive(others: report) }
    }

    /// Records that are in the log: each node gets each event once, however many members are there.
    /// `head`: what the first of them follows.
    func show(_ records: ArraySlice<Record>, behind head: Digest) {
        if !outposts.isEmpty, !records.isEmpty { tellAll(.events(records.map { LinkedEvent($0) }, behind: head)) }
    }

    /// Somebody has said something. `node`: whose edge has heard it; nil where none has.
    func hear(_ said: Said, from node: NodeName?) {
        guard edge?.hear(said) == true else { return }
        for other in outposts.nodes where other != node { tell(.said(said), to: other) }
    }

    /// What an edge says, once it is known here. `node`: nil is the home's own, of what it asked another home.
    func receive(_ message: RoomMessage, from node: NodeName?) {
        switch message {
        case .audience(let audience): if let node { replaceAudience(of: node, by: audience) }
        case .report(let report): receive(report, from: node)
        case .command(let command): handle(command, from: node)
        case .say(let said, var address):
            address.node = node
            say(said, answering: address)
        case .attach, .attached, .detach, .refused, .events, .answer, .others, .said: break
        }
    }

    private func handle(_ command: RoomMessage.Command, from node: NodeName?) {
        var address = command.address
        address.node = node
        do throws(Rejection) {
            guard
                let known = try RoomCommand(
                    type: command.type, fields: command.fields, game: stream.state.kind)
            else { throw .unknownType(command.type) }
            let sent = GameStep(type: command.type, fields: command.fields)
            // No command is from a time that has not come: the other node's clock may be ahead.
            let time = min(command.time, stream.now)
            handle(RoomRequest(.member(command.player, address), known, sent: sent, at: time))
        } catch {
            surroundings.counters.refused(error)
            answer(RoomAnswer(address: address, result: .refused(error)))
        }
    }
}
