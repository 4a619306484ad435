// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeIn } from "../../../web/net/room-code.js";

describe("A room's code is found", () => {
  for (const [typed, code] of /** @type {[string, string][]} */ ([
    ["k3m7pq", "k3m7pq"], ["K3M7PQ", "k3m7pq"], ["  k3m 7pq\n", "k3m7pq"], ["k3m-7pq", "k3m7pq"], ["K3M–7PQ.", "k3m7pq"],
    ["k3m\r\n7pq", "k3m7pq"], ["„k3m7pq“", "k3m7pq"], ["Ｋ３Ｍ７ＰＱ", "k3m7pq"], ["k3m\u00A07pq\u200B", "k3m7pq"],
    ["http://localhost:8080/room/k3m7pq", "k3m7pq"], ["https://play.example/Replay/K3M7PQ/?v=17#x", "k3m7pq"],
    ["play.example/room/k3m7pq", "k3m7pq"], ["/room/k3m7pq", "k3m7pq"], ["/room/K3M-7PQ", "k3m7pq"],
    ["/room/K3M%207PQ", "k3m7pq"], ["/replay/k3m7pq/", "k3m7pq"], ["/room/%E0%A4%A", "e0a4a"],
    ["Play with me:\nhttps://play.example/room/k3m7pq\nSee you!", "k3m7pq"],
    ["https://play.example/room/k3m7pq#code=0123", "k3m7pq"], ["", ""], [" - ", ""], ["/", ""], ["/room/", ""],
  ])) test(`in ${JSON.stringify(typed)}`, () => assert.equal(codeIn(typed), code));
});
