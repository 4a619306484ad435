#if !FUZZING
    import Testing
#endif

/// Fails the test, or ends the fuzzer.
func report(_ fault: String) {
    #if FUZZING
        fatalError(fault)
    #else
        Issue.record(Comment(rawValue: fault))
    #endif
}
