import Logging

/// A line of the log: its part, its level and its text. All lines are listed here, except those about options and
/// certificates, which bring their own text.
public struct LogLine: Sendable {
    let part: LogPart
    let level: Logger.Level
    let message: String

    init(_ part: LogPart, _ level: Logger.Level, _ message: String) {
        (self.part, self.level, self.message) = (part, level, message)
    }
}

extension LogLine {
    public static let stopping = LogLine(.hub, .notice, "stopping")
    public static let addressesNotPrinted = LogLine(.hub, .warning, "addresses not printed")
    public static let pageInManyFiles = LogLine(.hub, .warning, "the page comes in many small files")
    public static let logDiffers = LogLine(
        .hub, .error, "the log is not what it was, and pages that have seen more than it holds are told so")
    public static let folderIsOpen = LogLine(
        .hub, .warning, "others may look into the data folder: chmod 700 would keep them out")
    public static let fileWasReadable = LogLine(
        .hub, .warning, "others could read this file of the data folder: its mode is 0600 now")
    public static let fileIsReadable = LogLine(
        .hub, .warning, "others may read this file in the data folder: chmod 600 would keep them out")
    public static let operatorNoteNotWritten = LogLine(
        .hub, .error, "the operator's note cannot be written, so `flipside forget` will not find this hub")
    public static let diskDoesNotAnswer = LogLine(
        .hub, .error, "the disk does not answer, so the hub ends without closing its log")
    public static let clockWasSet = LogLine(
        .hub, .warning, "the system's clock was set, but no deadline moves, and hub time follows by 1 % at most")
    public static let clockBehindLog = LogLine(
        .hub, .warning,
        "the system's clock is behind the log, so hub time continues from the log's, slower by 1 % at most")
    public static let hubRecordsLost = LogLine(
        .hub, .warning, "the log has lost the newest records of hubs, so they are read again")
    public static let nodeUnheard = LogLine(
        .hub, .error, "play stops because the database has not heard of this node for too long")
    public static let nodeWaits = LogLine(.hub, .warning, "this node waits and serves no rooms yet")
    public static let nodeServes = LogLine(.hub, .notice, "this node serves rooms")
    public static let nodeJoinsAgain = LogLine(
        .hub, .warning, "this node joins again, since the log has lost that it had joined")
    public static let nodeNotLinked = LogLine(
        .hub, .error, "restart this node, since it cannot be linked to another one that has no fewer links")
    public static let nodeTimeDiffers = LogLine(
        .hub, .error, "restart this node, since its time differs from the others'")
    public static let nodeTimeBehindLog = LogLine(.hub, .error, "restart this node, since its time is behind the log")
    public static let nodeJoinedTooLate = LogLine(.hub, .error, "restart this node, which took too long to join")
    public static let nodeDeclaredLost = LogLine(
        .hub, .error, "other nodes have declared this one lost, so it no longer serves anything")
    public static let otherNodeLost = LogLine(.hub, .error, "a node is lost, and others serve its rooms")
    public static let allNodesRead = LogLine(.hub, .notice, "all nodes read what this one writes")
    public static let olderNodeServes = LogLine(
        .hub, .warning, "a node of an older release serves rooms, so this one writes nothing that it cannot read")

    public static let databaseUnproven = LogLine(
        .log, .warning, "the database does not prove its identity, as it would with sslmode=verify-full, the default")
    public static let writesStopped = LogLine(.log, .error, "play stops because the log takes no writes")
    public static let writesResumed = LogLine(.log, .notice, "the log takes writes again")
    public static let loopBlocked = LogLine(.log, .warning, "an event loop was blocked, and that time does not count")
    public static let logSilent = LogLine(.log, .warning, "the log did not answer, and that time does not count")
    public static let writeFailed = LogLine(.log, .warning, "the log did not take a write")
    public static let readFailed = LogLine(.log, .warning, "the log could not be read")
    public static let followFailed = LogLine(.log, .warning, "the log cannot be followed")
    public static let rowsNotAnswered = LogLine(.log, .warning, "the read models did not answer")
    public static let rowsNotWritten = LogLine(.log, .warning, "the read models cannot be written, so lists are old")
    public static let rowsNotOpened = LogLine(
        .log, .error, "the read models cannot be opened, and lists are incomplete until they can")
    public static let rowsGivenUp = LogLine(
        .log, .error, "the read models were given up, and lists are incomplete until they are rebuilt from the log")
    public static let rowsComplete = LogLine(.log, .notice, "the read models are complete again")

    public static let roomDoesNotOpen = LogLine(.rooms, .error, "room does not open")
    public static let roomGoneBack = LogLine(.rooms, .warning, "the log of a room has gone back: reading it again")
    public static let snapshotUnread = LogLine(
        .rooms, .warning, "a snapshot of a room cannot be read: it is damaged, or a later release has written it")
    public static let snapshotDiffers = LogLine(
        .rooms, .warning, "the snapshot of a room does not match its log: reading the log from its beginning")
    public static let gameFault = LogLine(.rooms, .error, "a game did what cannot be recorded")
    public static let computerFault = LogLine(.rooms, .warning, "a computer player gave no legal command")

    public static let accountUnread = LogLine(.accounts, .error, "an account cannot be read")

    public static let limitPassed = LogLine(.transport, .notice, "a limit was passed (logged once a minute)")
    public static let badProxyHeader = LogLine(
        .transport, .notice, "a trusted proxy sent a bad PROXY header (logged once a minute)")
    public static let addressNotHere = LogLine(.transport, .notice, "an address of the default is not on this machine")
    public static let fewDescriptors = LogLine(
        .transport, .notice, "the system has descriptors for fewer connections than asked for (ulimit -n)")
    public static let certificatesRead = LogLine(.transport, .notice, "certificates read again")
    public static let certificatesNotRead = LogLine(
        .transport, .error, "certificates not read again, the old ones stay")
    public static let linkMade = LogLine(.transport, .info, "a node is linked")
    public static let linkLost = LogLine(.transport, .warning, "the link to a node is lost")
    public static let linkFailed = LogLine(.transport, .warning, "a node cannot be linked (logged once)")
    public static let linkRefused = LogLine(
        .transport, .warning, "refused a link from something that claims to be a node (logged once a minute)")

    public static let request = LogLine(.access, .info, "request")
}

extension HubLoggers {
    public func write(_ line: LogLine, _ metadata: Logger.Metadata = [:]) { self[line.part].write(line, metadata) }
}

extension Logger {
    /// For what has only its part's logger.
    public func write(_ line: LogLine, _ metadata: Logger.Metadata = [:]) {
        log(level: line.level, "\(line.message)", metadata: metadata)
    }
}
