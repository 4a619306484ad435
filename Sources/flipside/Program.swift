import ArgumentParser

/// Where the program begins.
@main
enum Program {
    static func main() {
        StandardStreams.open()
        Flipside.main()
        // A command that has failed does not come back.
        do throws(CommandLineError) { try StandardStreams.flush() } catch { Flipside.exit(withError: error) }
    }
}
