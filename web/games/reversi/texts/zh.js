// @ts-check

/** The sentences of Reversi in Chinese. */
export const zh = {
  "reversi": "黑白棋",
  "reversi.resign": "认输",
  "reversi.resign.question": "要认输吗？",
  "reversi.place-disc": "{name} 落子 {cell}，翻转 {count} 枚。",
  "reversi.place-disc.you": "你落子 {cell}，翻转 {count} 枚。",
  "reversi.pass": "{name} 无处可下，跳过。",
  "reversi.pass.you": "你无处可下，跳过。",
  "reversi.resigned": "{name} 认输了。",
  "reversi.resigned.you": "你认输了。",
  "reversi.black": "黑子",
  "reversi.white": "白子",
  "reversi.empty": "空格",
  "reversi.legal": "空格，可落子",
  "reversi.last": "{what}，最后一步",
  "how.reversi": "落下一子，使对方的棋子在一条或几条直线上夹在它与你的另一枚棋子之间，这些棋子全部翻转。黑方先行。无处可下则跳过；双方都无处可下时，棋子多者获胜。超时判负。",
  "error.cell-is-taken": "这里已经有棋子了。",
  "error.flips-nothing": "下在那里翻不了任何棋子。",
};
