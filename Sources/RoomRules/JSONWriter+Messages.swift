import JSON

extension JSONWriter {
    /// Writes what every event begins with: `{"v":3,"t":1767225600000,"type":"show-card"`.
    public init(eventOf type: String, version: Int, at time: Int) {
        self.init()
        write(plain: #"{"v":"#)
        write(version)
        write(plain: #","t":"#)
        write(time)
        write(plain: #","type":"#)
        write(type)
    }

    /// Comes next, for `append`, if more events of its commit follow.
    static let more = followers(["more": true])

    /// Writes what every other message begins with: `{"type":"ok"`.
    public init(objectOf type: String) {
        self.init()
        write(plain: #"{"type":"#)
        write(type)
    }
}
