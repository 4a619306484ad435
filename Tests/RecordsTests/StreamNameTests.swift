import Records
import Testing

@Suite("Names of streams") struct StreamNameTests {
    @Test(
        "logs show no player's name and no token's hash, for names with any first character",
        arguments: [
            (StreamName.name("ann"), "name/…"), (.name("\u{1F3FB}ann"), "name/…"),
            (.name("\u{0E4D}\u{0E32}"), "name/…"),
            (.token("ab12"), "token/…"), (.account("ab12"), "account/ab12"), (.room("abcdef"), "room/abcdef"),
            (.hub, "hub"),
        ])
    func shownInLogs(_ stream: StreamName, shown: String) { #expect(stream.shownInLogs == shown) }
}
