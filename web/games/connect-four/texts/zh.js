// @ts-check

/** The sentences of connect four in Chinese. */
export const zh = {
  "connect-four": "四子棋",
  "connect-four.resign": "认输",
  "connect-four.resign.question": "要认输吗？",
  "connect-four.drop-disc": "{name} 在第 {column} 列落子。",
  "connect-four.drop-disc.you": "你在第 {column} 列落子。",
  "connect-four.drop-disc.line": "{name} 在第 {column} 列落子：四子连线。",
  "connect-four.drop-disc.line.you": "你在第 {column} 列落子：四子连线。",
  "connect-four.resigned": "{name} 认输了。",
  "connect-four.resigned.you": "你认输了。",
  "connect-four.hole": "第 {column} 列，第 {row} 行：{what}",
  "connect-four.empty": "空格",
  "connect-four.disc": "{seat} 号座位的棋子",
  "connect-four.last": "{what}，最后一步",
  "connect-four.in-line": "{what}，在获胜连线中",
  "how.connect-four": "把棋子投入七列中的一列，它会落到最下面的空位。先把自己的四枚棋子在横、竖或斜线上连成一线者获胜。棋盘先满则为平局。超时判负。",
  "error.column-is-full": "这一列已满。",
};
