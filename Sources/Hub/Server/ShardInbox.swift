import EventStore
import Rooms

/// Receives answers of the log and computer players for a shard.
final class ShardInbox: LogInbox, ComputerReplyInbox {
    private let post: @Sendable (ShardMessage) -> Void

    init(post: @escaping @Sendable (ShardMessage) -> Void) { self.post = post }

    func deliver(_ messages: [LogMessage]) { post(.log(messages)) }
    func deliver(_ reply: ComputerReply) { post(.computerReply(reply)) }
}
