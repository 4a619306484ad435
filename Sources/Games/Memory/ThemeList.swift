extension Theme {
    /// The themes of this hub, one on each line.
    public static let all: [Theme] = [
        Theme("animals", "🐶 🐱 🐭 🐹 🐰 🦊 🐻 🐼 🐨 🐯 🦁 🐮 🐷 🐸 🐵 🐔", colour: "amber"),
        Theme("safari", "🐘 🦒 🦏 🐊 🐍 🦓 🦍 🐫 🦘 🦥 🐆 🦔 🦝 🐺 🐗 🦛", colour: "orange"),
        Theme("birds", "🐔 🐧 🦆 🦅 🦉 🦜 🦚 🦩 🦢 🐦 🐣 🦃", colour: "teal"),
        Theme("ocean", "🐳 🐬 🐟 🐠 🐡 🦈 🐙 🐚 🦀 🦞 🦐 🦑 🐢 🐧", pairs: .fixed(10), colour: "cyan", "indigo"),
        Theme("garden", "🌵 🌲 🌴 🌷 🌸 🌹 🌻 🌼 🍀 🍁 🍄 🌾", pairs: .drawn(6...10), colour: "green"),
        Theme("fruit", "🍎 🍐 🍊 🍋 🍌 🍉 🍇 🍓 🍒 🍑 🍍 🥝 🥥 🥭", colour: "rose", "orange"),
        Theme("vegetables", "🍅 🥕 🌽 🥦 🍆 🥔 🧅 🧄 🥬 🥒 🥑 🍠 🌰 🥜", colour: "lime", "green"),
        Theme("food", "🍔 🍕 🌭 🍟 🌮 🍣 🍩 🍪 🎂 🍦 🥐 🧀 🥨 🍿 🥞 🍫", colour: "red"),
        Theme("vehicles", "🚗 🚕 🚌 🚓 🚑 🚒 🚚 🚜 🚲 🛵 🚂 🚀 🚁 🚢", colour: "slate"),
        Theme("places", "🏠 🏰 🗼 🗽 ⛺ 🏥 🏭 ⛲ 🎡 🎢 🎪 🌋 🗿 🌉", colour: "violet"),
        Theme("sky", "🌞 🌛 ⭐ 🌈 ⚡ ☔ ⛄ ⛅ 🌍 🪐 🛸 🎈 🪁 🔭", pairs: .drawn(8...14), colour: "indigo", "violet", "rose"),
        Theme("sports", "⚽ 🏀 🏈 ⚾ 🎾 🏐 🏉 🎱 🏓 🏸 🥊 🎳 🏹 🥌", colour: "lime"),
        Theme("toys", "🎲 🎯 🎮 🎰 🧩 🃏 🎱 🀄 🪀 🪁 🧸 🎨 🧶 🎠", colour: "blue"),
        Theme("music", "🎸 🎹 🎺 🎻 🥁 🎷 🎤 🎧 📯 🔔 📻 🪕 🎼", colour: "violet"),
        Theme("party", "🎁 🎈 🎉 🎂 🎄 🎃 🎆 🧨 🎀 🧸 🍭 🥂 🎭", colour: "rose"),
        Theme("clothes", "👕 👖 👗 👟 👠 🎩 🧢 🧤 🧣 🧦 👒 👑 👜 🎒 👓 🥾", colour: "cyan"),
        Theme("workshop", "🔨 🔧 🔩 🪓 🧲 🧰 🔦 📎 📌 🔑 🔒 📏 🧪 🧭 🔋", colour: "slate"),
        Theme("moods", "😀 😂 😍 😎 😱 😴 🤔 🤓 😡 🤠 🥳 😇 🤖 👻 🤡 🤢", colour: "amber"),
        Theme("pictures", drawings, kind: .pictures, colour: "teal"),
        Theme("numbers", (1...48).map { String($0) }, kind: .text, colour: ["blue"]),
        Theme("characters", characters.map { String($0) }, kind: .text, colour: ["green"]),
    ]

    /// The symbols of the page's `pictures.svg`.
    private static let drawings = """
        anchor balloon bell boat cactus crown cup fish flower heart house key lighthouse moon mushroom rocket \
        snowflake star sun tree umbrella
        """

    /// Without characters that look like another: O and 0, I, l and 1, B and 8, S and 5, Z and 2, G and 6.
    private static let characters = "ABCDEFGHJKLMNPQRSTUVWXYZ3479ΩΔΣΠΦΨΞ#&?!%@+=*§~$€"

    /// The theme called `name`; nil if there is none.
    public static func named(_ name: String) -> Theme? { all.first { $0.name == name } }

    /// Colours that a page must know.
    public static let colours = [
        "red", "rose", "orange", "amber", "lime", "green", "teal", "cyan", "blue", "indigo", "violet", "slate",
    ]
}
