import ArgumentParser

@main
enum Program {
    static func main() {
        StandardStreams.open()
        Flipside.main()
        // A command that fails does not return.
        do throws(CommandLineError) { try StandardStreams.flush() } catch { Flipside.exit(withError: error) }
    }
}
