import Testing

@testable import Hub

@Suite("Joined modules") struct JoinedModulesTests {
    @Test(
        "are read by lines that import or export",
        arguments: [
            ("import { a, b as c } from \"./x.js\";", .imports(" a, b as c ", from: "./x.js")),
            ("import * as all from \"../x.js\";", .importsAll(as: "all", from: "../x.js")),
            ("import \"./x.js\";", .runs("./x.js")),
            ("export { a } from \"./x.js\";", .reexports(" a ", from: "./x.js")),
            ("export { a };", .reexports(" a ", from: nil)),
            ("export const a = 1;", .exports("a", line: "const a = 1;")),
            ("export async function $a_1() {", .exports("$a_1", line: "async function $a_1() {")),
            ("export const f = (a, b) => [a, b];", .exports("f", line: "const f = (a, b) => [a, b];")),
            ("export class A {", .exports("A", line: "class A {")),
            ("const a = import(\"./x.js\");", nil), ("import(\"./x.js\");", nil), ("important();", nil),
        ] as [(String, ModuleStatement?)])
    func reads(row: (line: String, statement: ModuleStatement?)) throws {
        #expect(try ModuleStatement(row.line[...]) == row.statement)
    }

    @Test(
        "are not joined if a line has another form",
        arguments: [
            "import a from \"./x.js\";", "import { a }", "import { a } from './x.js';", "import { a } from \"x\";",
            "import { a } from \"./x.js\"; a();", "export default 1;", "export let a;", "export const { a } = b;",
            "export const a = 1, b = 2;", "export const a = b, c = (d);", "export * from \"./x.js\";",
            "import{ a } from \"./x.js\";", "export {", "import {", "  import { a } from \"./x.js\";",
            "  export const a = 1;",
            "import*as a from \"./x.js\";", "import\"./x.js\";", "import\t{ a } from \"./x.js\";",
            "/* a */ import { a } from \"./x.js\";", "let b; import { a } from \"./x.js\";",
            "export const a = 1; export const b = 2;", "export const größe = 1;",
        ])
    func refuses(line: String) {
        #expect(throws: ModuleStatement.UnknownForm.self) { try ModuleStatement(line[...]) }
        #expect(throws: JoinedModules.Refusal.unknownForm(path: "/a.js", line: 2)) {
            try JoinedModules(["/a.js"], of: ["/a.js": "\n\(line)\n"])
        }
    }

    @Test(
        "are not joined if that would change what they do",
        arguments: [
            "const text = `one", "const here = import.meta.url;", "export const a = await b();", "const a = 1;\r",
            "for await (const a of b) c(a);", "  const text = `one", "  import.meta.url;",
        ])
    func refusesInWhatOthersNeed(line: String) {
        let sources = ["/a.js": "export const x = 1;\n\(line)\n", "/b.js": "import { x } from \"./a.js\";"]
        #expect(throws: JoinedModules.Refusal.unknownForm(path: "/a.js", line: 2)) {
            try JoinedModules(["/b.js"], of: sources)
        }
        #expect(throws: JoinedModules.Refusal.variable("x", of: "/a.js")) {
            try JoinedModules(["/a.js"], of: ["/a.js": "let a = 1, x = 2;\nexport { x };"])
        }
    }

    @Test("leave other names alone", arguments: ["reimport(1);", "a.import(1);", "const a = \"import(\";"])
    func keeps(line: String) throws {
        #expect(try JoinedModules(["/a.js"], of: ["/a.js": line]).body.contains("\n\(line)\n"))
    }

    @Test(
        "have plain lines, which are indented and without a mark",
        arguments: [
            ("", [false]), ("\n", [false, false]), ("  a();\n", [true, false]), ("a();", [false]), ("  ", [false]),
            ("\ta();", [false]), (" \t", [true]), ("  a\0b\n  `", [true, false]), ("  \0// a", [false]),
            (" é\n ü */", [true, false]), ("  a()\n  // b\n  c()", [true, false, true]),
        ])
    func plain(source: String, isPlain: [Bool]) {
        let lines = SourceLines(source).all
        #expect(lines.map(\.isPlain) == isPlain)
        #expect(lines.map(\.text).joined(separator: "\n") == source)
    }

    private let sources = [
        "/main.js": "import { b as c } from \"./f/b.js\";\nimport \"./f/a.js\";\nc(await import(\"./late.js\"));\n",
        "/f/a.js": "/** A\n  plain\n * comment. */\nexport const a = `//`; // b\n  // c\n\nexport function d() {\n  "
            + "e(/** @type {F} */ (g).h, /** @type {i} */(j));\n\t i();\n  j();\n}\n",
        "/f/b.js": "import * as all from \"../f/a.js\";\nexport { a as b } from \"./a.js\";\n",
    ]

    @Test("run after those that they import, each once")
    func order() throws {
        #expect(try JoinedModules(["/f/a.js", "/main.js"], of: sources).paths == ["/f/a.js", "/f/b.js", "/main.js"])
    }

    @Test("give what they export, without comment lines")
    func body() throws {
        let body = try JoinedModules(["/main.js"], of: sources).body
        #expect(
            body.hasSuffix(
                """
                const $2 = $run("/f/a.js", () => {
                const a = `//`; // b
                function d() {
                e((g).h, (j));
                \t i();
                j();
                }
                return { a, d };
                });
                const $1 = $run("/f/b.js", () => {
                const all = $2;
                return { b: $2.a };
                });
                (async () => {
                const $import = $importing("/main.js");
                const { b: c } = $1;
                c(await $import("./late.js"));
                })();
                export { $all };

                """))
    }

    @Test("have a stand-in for later modules")
    func standIn() throws {
        let joined = try JoinedModules(["/main.js"], of: sources)
        #expect(
            joined.standIn(for: "/f/a.js", name: "page.js")
                == "import { $all } from \"../page.js\";\nexport const { a, d } = $all[\"/f/a.js\"];\n")
        #expect(joined.standIn(for: "/main.js", name: "page.js").hasPrefix("import { $all } from \"./page.js\";"))
    }

    @Test("are not joined if one is missing, or imports itself through others")
    func faults() {
        #expect(throws: JoinedModules.Refusal.missing("/b.js")) {
            try JoinedModules(["/a.js"], of: ["/a.js": "import \"./b.js\";"])
        }
        for line in ["import { c, d } from", "export { c, d as c } from"] {
            #expect(throws: JoinedModules.Refusal.notExported("d", by: "/b.js", to: "/a.js")) {
                try JoinedModules(
                    ["/a.js"], of: ["/a.js": "\(line) \"./b.js\";", "/b.js": "export const c = [1], d = 2;"])
            }
        }
        #expect(throws: JoinedModules.Refusal.cycle("/a.js")) {
            try JoinedModules(["/a.js"], of: ["/a.js": "import \"./b.js\";", "/b.js": "import \"./a.js\";"])
        }
        #expect(throws: JoinedModules.Refusal.unknownForm(path: "/a.js", line: 2)) {
            try JoinedModules(["/a.js"], of: ["/a.js": "/* one\ntwo */ three();"])
        }
    }

    @Test("style sheets are joined in order, and their links still work")
    func styles() {
        let files: [String: StaticFiles.File] = [
            "/a/a.css": .init(
                body: Array(".a { src: url(\"b.png\") url(\"c.png\") url(\"/d\") url(\"../f/g.woff2\") }\n".utf8),
                type: "text/css"),
            "/b.css": .init(body: Array("/* Of\n   b. */\n\n.b {\n  c: d; /* e */\n}\n".utf8), type: "text/css"),
            "/a/b.png": .init(body: [1], type: "image/png"), "/f/g.woff2": .init(body: [1], type: "font/woff2"),
            "/a/c.png": .init(body: [UInt8](repeating: 0, count: 1_025), type: "image/png"),
        ]
        #expect(
            JoinedStyles.body(["/b.css", "/a/a.css"], of: files)
                == ".b {c: d; \n}.a { src: url(\"data:image/png;base64,AQ==\") "
                + "url(\"/a/c.png\") url(\"/d\") url(\"./f/g.woff2\") }")
    }
}
