/// Collects a batch's messages, so that each inbox gets one delivery, in order.
struct Outbox: Sendable {
    private var slots: [ObjectIdentifier: Int] = [:]
    private var batches: [Batch] = []

    private struct Batch: Sendable {
        let inbox: any LogInbox
        var messages: [LogMessage]
    }

    mutating func add(_ message: LogMessage, to inbox: any LogInbox) {
        let identity = ObjectIdentifier(inbox)
        if let slot = slots[identity] {
            batches[slot].messages.append(message)
        } else {
            slots[identity] = batches.count
            batches.append(Batch(inbox: inbox, messages: [message]))
        }
    }

    /// Delivers everything on the calling thread and empties itself.
    mutating func flush() {
        let full = batches
        batches.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
        for batch in full { batch.inbox.deliver(batch.messages) }
    }
}
