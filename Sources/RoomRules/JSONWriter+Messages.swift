import JSON

extension JSONWriter {
    /// Begins an event: `{"v":3,"t":1767225600000,"type":"show-card"`.
    init(eventOf type: String, version: Int, at time: Int) {
        self.init()
        write(plain: #"{"v":"#)
        write(version)
        write(plain: #","t":"#)
        write(time)
        write(plain: #","type":"#)
        write(type)
    }

    /// Appended next if more events of the commit follow.
    static let more = followers(["more": true])

    /// Begins a message that is not an event: `{"type":"ok"`.
    public init(objectOf type: String) {
        self.init()
        write(plain: #"{"type":"#)
        write(type)
    }
}
