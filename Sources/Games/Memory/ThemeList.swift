extension Theme {
    /// The themes of this hub, a line each.
    public static let all: [Theme] = [
        Theme("animals", "🐶 🐱 🐭 🐹 🐰 🦊 🐻 🐼 🐨 🐯 🦁 🐮 🐷 🐸 🐵 🐔", colour: "amber"),
        Theme("fruit", "🍎 🍐 🍊 🍋 🍌 🍉 🍇 🍓 🍒 🍑 🍍 🥝 🥥 🥭", colour: "rose", "orange"),
        Theme("ocean", "🐳 🐬 🐟 🐠 🐡 🦈 🐙 🐚 🦀 🦞 🦐 🦑 🐢 🐧", pairs: .fixed(10), colour: "cyan", "indigo"),
        Theme("garden", "🌵 🌲 🌴 🌷 🌸 🌹 🌻 🌼 🍀 🍁 🍄 🌾", pairs: .drawn(6...10), colour: "green"),
        Theme("vehicles", "🚗 🚕 🚌 🚓 🚑 🚒 🚚 🚜 🚲 🛵 🚂 🚀 🚁 🚢", colour: "slate"),
        Theme("sports", "⚽ 🏀 🏈 ⚾ 🎾 🏐 🏉 🎱 🏓 🏸 🥊 🎳 🏹 🥌", colour: "lime"),
        Theme("numbers", (1...48).map { String($0) }, kind: .text, colour: ["blue"]),
    ]

    /// The theme that bears `name`; nil if there is none.
    public static func named(_ name: String) -> Theme? { all.first { $0.name == name } }

    /// Colours that a page is expected to know.
    public static let colours = [
        "red", "rose", "orange", "amber", "lime", "green", "teal", "cyan", "blue", "indigo", "violet", "slate",
    ]
}
