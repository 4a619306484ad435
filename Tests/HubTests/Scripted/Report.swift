#if !FUZZING
    import Testing
#endif

/// What a script finds wrong fails the test; the fuzzer is ended by it.
func report(_ fault: String) {
    #if FUZZING
        fatalError(fault)
    #else
        Issue.record(Comment(rawValue: fault))
    #endif
}
