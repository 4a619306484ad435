import Records
import Threads

/// A log with a thread that reads and a thread that writes, which answer its calls.
protocol ThreadedLog: EventLog {
    var calls: LogCalls { get }
    /// Why no append can be handed over now.
    var refusal: EventLogError? { get }
}

extension ThreadedLog {
    public func append(_ commits: [TicketedCommit], answer: any LogInbox) {
        if let refusal { return refuse(commits[...], refusal, answer) }
        let now = SteadyClock.now()
        let posting = calls.writer.post(
            commits.map {
                .append(PendingAppend(commit: $0.commit, ticket: $0.ticket, answer: answer, handedOver: now))
            })
        if let error = posting.next.refusal { refuse(commits[posting.taken...], error, answer) }
    }

    private func refuse(_ commits: ArraySlice<TicketedCommit>, _ error: EventLogError, _ answer: any LogInbox) {
        answer.deliver(commits.map { .settled($0.ticket, .unavailable(error)) })
    }

    public func load(_ stream: StreamName, after version: Int, limit: Int, ticket: Ticket, answer: any LogInbox) {
        if let error = calls.reader.post(.load(stream, after: version, limit: limit, ticket, answer)).refusal {
            answer.deliver([.loaded(ticket, .failure(error))])
        }
    }

    public func loadNewest(_ limit: Int, ticket: Ticket, answer: any LogInbox) {
        if let error = calls.reader.post(.loadNewest(limit, ticket, answer)).refusal {
            answer.deliver([.loaded(ticket, .failure(error))])
        }
    }

    public func follow(_ stream: StreamName, after version: Int, ticket: Ticket, into inbox: any LogInbox) {
        startReading(CatchUp(.stream(stream), ticket: ticket, inbox: inbox), after: version)
    }

    public func followAll(after position: Int, ticket: Ticket, into inbox: any LogInbox) {
        startReading(CatchUp(.all, ticket: ticket, inbox: inbox), after: position)
    }

    private func startReading(_ catchUp: CatchUp, after place: Int) {
        // Before the first read, so that no erasure is missed.
        calls.catchUps.add(catchUp)
        if let error = calls.reader.post(.catchUp(catchUp, CatchUp.Progress(reached: place))).refusal {
            calls.catchUps.fail(catchUp, error)
        }
    }

    public func unfollow(_ ticket: Ticket, into inbox: any LogInbox) {
        calls.catchUps.remove(ticket, inbox)
        calls.writer.post(.unfollow(ticket, inbox), isOwed: true)
    }

    public func watchAvailability(into inbox: any LogInbox) {
        if calls.writer.post(.watch(inbox), isOwed: true) == .closed {
            inbox.deliver([.availability(.unavailable(.closed))])
        }
    }
}
