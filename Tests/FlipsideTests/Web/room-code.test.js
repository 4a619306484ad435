// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeIn, codesIn } from "../../../web/net/room-code.js";

describe("A room's code is found", () => {
  for (const [typed, code] of /** @type {[string, string][]} */ ([
    ["k3m7pq", "k3m7pq"], ["K3M7PQ", "k3m7pq"], ["  k3m 7pq\n", "k3m7pq"], ["k3m-7pq", "k3m7pq"], ["K3M–7PQ.", "k3m7pq"],
    ["k3m\r\n7pq", "k3m7pq"], ["„k3m7pq“", "k3m7pq"], ["Ｋ３Ｍ７ＰＱ", "k3m7pq"], ["k3m\u00A07pq\u200B", "k3m7pq"],
    ["http://localhost:8080/room/k3m7pq", "k3m7pq"], ["https://play.example/Replay/K3M7PQ/?v=17#x", "k3m7pq"],
    ["play.example/room/k3m7pq", "k3m7pq"], ["/room/k3m7pq", "k3m7pq"], ["/room/K3M-7PQ", "k3m7pq"],
    ["/room/K3M%207PQ", "k3m7pq"], ["/replay/k3m7pq/", "k3m7pq"], ["/room/%E0%A4%A", "e0a4a"],
    ["Play with me:\nhttps://play.example/room/k3m7pq\nSee you!", "k3m7pq"],
    ["https://play.example/room/nchhjk快来一起玩", "nchhjk"], ["/room/k3m7pq,bis gleich", "k3m7pq"],
    ["/room/k3m7pq&utm=1", "k3m7pq"], ["/room/K3M-7PQ。", "k3m7pq"], ["/room/k3m7pqx", "k3m7pqx"],
    ["/room/abcdefghjkmnpqrst来", "abcdefghjkmnpqrst"], ["/room/k3m7pq%E5%BF%AB", "k3m7pq"],
    ["https://play.example/room/k3m7pq#code=0123", "k3m7pq"], ["", ""], [" - ", ""], ["/", ""], ["/room/", ""],
  ])) test(`in ${JSON.stringify(typed)}`, () => assert.equal(codeIn(typed), code));
});

describe("Among words", () => {
  for (const [typed, codes] of /** @type {[string, string[]][]} */ ([
    ["Come play! Code: K3M-7PQ, hurry", ["k3m7pq"]], ["Code K3M 7PQ", ["k3m7pq"]], ["Room k3m7pq · Flipside", ["k3m7pq"]],
    ["abcd-efgh-jkmn-pqrs-t", ["abcdefghjkmnpqrst"]], ["https://play.example/room/k3m7pq?v=3#a", ["k3m7pq"]],
    ["we play better in k3m7pq", ["k3m7pq", "better"]],
  ])) test(`codes are found, the likeliest first: ${JSON.stringify(typed)}`, () => assert.deepEqual(codesIn(typed).codes, codes));

  for (const [typed, problem] of /** @type {[string, string][]} */ ([
    ["please come and play with us", "length"], ["k3m7p", "length"], ["k3m7po", "sign"], ["https://play.example/about", "link"],
    ["https://play.example/room/", "link"],
  ])) {
    test(`the reason is given if there is none: ${JSON.stringify(typed)}`, () => {
      assert.deepEqual([codesIn(typed).codes, codesIn(typed).problem], [[], problem]);
    });
  }
});
