// @ts-check

/** The sentences of dots and boxes in Chinese. */
export const zh = {
  "dots-and-boxes": "点格棋",
  "dots-and-boxes.size": "棋盘",
  "dots-and-boxes.dots": "{size} × {size} 点",
  "dots-and-boxes.resign": "认输",
  "dots-and-boxes.resign.question": "要认输吗？",
  "dots-and-boxes.draw-line": "{name} 画了一条线。",
  "dots-and-boxes.draw-line.you": "你画了一条线。",
  "dots-and-boxes.box": "{name} 画了一条线，得到一格。",
  "dots-and-boxes.box.you": "你画了一条线，得到一格。",
  "dots-and-boxes.boxes": "{name} 画了一条线，得到两格。",
  "dots-and-boxes.boxes.you": "你画了一条线，得到两格。",
  "dots-and-boxes.boxes-left": "还剩 {count} 格",
  "dots-and-boxes.boxes-left.one": "还剩 1 格",
  "dots-and-boxes.resigned": "{name} 认输了。",
  "dots-and-boxes.resigned.you": "你认输了。",
  "dots-and-boxes.out": "你已出局。",
  "dots-and-boxes.lying": "第 {row} 行第 {column} 条横线：{what}",
  "dots-and-boxes.standing": "第 {row} 行第 {column} 条竖线：{what}",
  "dots-and-boxes.open": "未画",
  "dots-and-boxes.drawn": "由座位 {seat} 画",
  "dots-and-boxes.last": "{what}，最后一步",
  "how.dots-and-boxes": "在相邻的两点之间画一条线。画上一格第四条边的人得到这一格，并再画一条。所有线画完后，格子最多者获胜。超时即出局，但已得的格子仍然算数。",
  "how.dots-and-boxes.chains": "尽量不要画一格的第三条边：下一位会拿走它。最后只剩长长的一串串格子，总有人不得不打开一串。",
  "error.line-is-drawn": "这条线已经画过了。",
};
