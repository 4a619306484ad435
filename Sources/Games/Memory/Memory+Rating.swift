extension Memory {
    /// What the turns that one player alone needed say of the memory they were played with.
    public enum Rating: String, CaseIterable, Sendable {
        case excellent, great, good, done
    }

    /// For a player alone who has won all pairs in `turns` attempts, on a board of `cells` = columns x rows, a gap
    /// included: up to 0.75 of them, up to all, below 1.5 of them, or more.
    public static func rating(turns: Int, cells: Int) -> Rating {
        if 4 * turns <= 3 * cells { return .excellent }
        if turns <= cells { return .great }
        return 2 * turns < 3 * cells ? .good : .done
    }

    /// How many turns somebody alone who forgets nothing needs on average to win `pairs` pairs, playing as well as can
    /// be: the exact mean, to 12 decimals; about 1.613706 pairs - 0.511294. Nil if no board has so many.
    ///
    /// From the recursion of D. J. Velleman and G. S. Warrington, "What to expect in a game of memory": the first card
    /// is one never seen; the second is its mate where that has been seen, or else another never seen.
    public static func expectedTurns(pairs: Int) -> Double? {
        Board.pairRange.contains(pairs) ? turnsOfPerfectMemory[pairs - Board.pairRange.lowerBound] : nil
    }

    /// From 3 pairs on.
    private static let turnsOfPerfectMemory = [
        4.333333333333, 5.923809523810, 7.552380952381, 9.162481962482, 10.779242979243, 12.392984792985,
        14.007567595803, 15.621650038987, 17.235777844447, 18.849790540893, 20.463769550920, 22.077702909406,
        23.691606918961, 25.305484783594, 26.919342094933, 28.533182059292, 30.147007583418, 31.760820843903,
        33.374623641768, 34.988417427702, 36.602203401074, 38.215982555784, 39.829755724634, 41.443523609926,
        43.057286808320, 44.671045829887, 46.284801113290, 47.898553037852, 49.512301933258, 51.126048087418,
        52.739791752881, 54.353533152098, 55.967272481782, 57.581009916517, 59.194745611791, 60.808479706535,
        62.422212325269, 64.035943579924, 65.649673571393, 67.263402390858, 68.877130120934, 70.490856836649,
        72.104582606295, 73.718307492170, 75.332031551219, 76.945754835600,
    ]
}
