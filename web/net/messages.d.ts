// Made from flipside.v1.schema.json by scripts/message-types; not to be edited.

/** A WebSocket message to the hub. */
export type ClientMessage = ClientHello | ClientPing | ClientSit | ClientReady | ClientBot | ClientFree | ClientMute | ClientBan | ClientSay | ClientReact | ClientLeave | ClientOptions | ClientVisibility | ClientStart | ClientPropose | ClientAnswer | ClientHere | ClientClose | ClientPlace | ClientDrop | ClientDraw | ClientAsk | ClientBid | ClientResign | ClientFlip | ClientShuffle;

/** A WebSocket message from the hub. */
export type HubMessage = HubWelcome | HubResume | HubOk | HubError | HubPresence | HubPong | HubRooms | HubRoom | HubRoomGone | HubHand | HubNotice | HubChat | HubReaction | RecordedEvent;

/** A recorded event. */
export type RecordedEvent = EventRoomOpened | EventSeatTaken | EventSeatFreed | EventPlayerLeft | EventOptionsChanged | EventVisibilityChanged | EventGameStarted | EventShowCard | EventMatch | EventHideCard | EventCardsShuffled | EventProposed | EventAnswered | EventProposalEnded | EventTurn | EventTurns | EventTurnExpired | EventAway | EventBack | EventSeatHelped | EventSeatReturned | EventHostChanged | EventPlayerMuted | EventPlayerBanned | EventReady | EventDealing | EventPlaceDisc | EventPass | EventDropDisc | EventDrawLine | EventCardsAsked | EventCardDrawn | EventBook | EventPrizeShown | EventBidSealed | EventBidsShown | EventResigned | EventClockExtended | EventGameEnded | EventRoomClosed;

/** A game that is not described here as everyone sees it. */
export type OtherView = {
  "options": ResolvedOptions;
  "seats": Seat[];
  "awaited": Awaited;
  "deadline"?: Time;
};

/** The seats that the game waits for, in order; none once it is over. */
export type Awaited = Seat[];

/** Who has gone out of a game, in order. The game ends once only one player is left. */
export type Out = ({
  "seat": Seat;
  "reason": "time" | "resigned" | "left";
})[];

/** Of an event in its room: 1, 2, 3 ... without gaps. */
export type Version = number;

/** More events of the same commit follow: act on the last of them. */
export type More = true;

/** Milliseconds since 1970, UTC, by the hub's clock. */
export type Time = number;

/** Milliseconds. */
export type Span = number;

/** SHA-256. */
export type Digest = string;

/** 32 random bytes in base64url without padding. */
export type Token = string;

/** What a player knows a device by. */
export type Label = string | null;

/** Makes a device a player's. */
export type AccountCode = string;

/** A player's id. */
export type Player = string;

/** A room's code. */
export type Code = string;

/** A command's id: new for each command of a player in a room, for ever. */
export type Id = string;

export type Seat = number;

/** Memory: row by row from 0. */
export type Cell = number;

/** Of an 8 by 8 board, row by row from a1 = 0. */
export type Square = number;

/** A line between two dots: first the horizontal ones, row by row, then the vertical ones. */
export type Edge = number;

export type Rank = "A" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "J" | "Q" | "K";

/** Of a card or a prize. */
export type Value = number;

/** Ascending. */
export type Values = Value[];

/** Between four dots, row by row. */
export type Box = number;

/** Of a board of 7 columns and 6 rows, row by row from the top. */
export type Hole = number;

/** Cells in a row of four or more. */
export type Line = Hole[];

/** Memory: of a card. */
export type Face = string;

/** Each player's name, by id. */
export type Names = Record<string, string>;

/** A number for each seat that plays; the seat, as text, is the key. */
export type BySeat = Record<string, number>;

/** A colour's name, or those of a gradient. */
export type Colour = string[];

/** What a theme's faces are; those of `pictures` name symbols of the page's pictures.svg. */
export type Kind = "emoji" | "pictures" | "text";

export type Visibility = "public" | "seeking" | "unlisted";

/** A player's part in the draw: 16 bytes. */
export type Nonce = string;

/** Of a computer player. */
export type Level = string;

export type Opponents = "alone" | "people" | "computers";

export type Departure = "left" | "freed" | "banned";

export type Status = "waiting" | "dealing" | "running" | "ended" | "closed";

export type Reason = "finished" | "stalled" | "left" | "time" | "resigned" | "restart" | "closed" | "fault";

/** A room's options as asked for; the others are missing, and resolved when a game starts. Every game has `seats` and `turnTime`. All others are the game's own: those of a known game are in its definition, such as `memoryOptions`, and those of any other game may have any name. */
export type Options = {
  "seats"?: number;
  "turnTime"?: number;
  [name: string]: string | number | boolean | undefined;
};

/** Options that are asked for. Null is an option that is not, or is no longer, asked for. */
export type AskedOptions = {
  "seats"?: number | null;
  "turnTime"?: number | null;
  [name: string]: string | number | boolean | null | undefined;
};

/** All options of a game. */
export type ResolvedOptions = Options;

/** All options of Memory. */
export type MemoryOptions = {
  "seats"?: number;
  "turnTime"?: number;
  "preset"?: "classic" | "easy" | "medium" | "hard" | "memorize" | "custom";
  "columns"?: number;
  "rows"?: number;
  "pairs"?: number;
  "theme"?: string;
  "rule"?: "pairs" | "memorize" | "easy" | "medium" | "hard";
  "turnRule"?: "again" | "alternate";
  "order"?: "turns" | "free";
  "reveal"?: number;
  "matched"?: "stay" | "vanish";
};

/** All options of Reversi. */
export type ReversiOptions = {
  "seats"?: number;
  "turnTime"?: number;
};

/** All options of connect four. */
export type ConnectFourOptions = {
  "seats"?: number;
  "turnTime"?: number;
};

/** All options of dots and boxes. */
export type DotsAndBoxesOptions = {
  "seats"?: number;
  "turnTime"?: number;
  "size"?: number;
};

/** All options of Go Fish. */
export type GoFishOptions = {
  "seats"?: number;
  "turnTime"?: number;
  "books"?: "fours" | "pairs";
};

/** All options of Goofspiel. */
export type GoofspielOptions = {
  "seats"?: number;
  "turnTime"?: number;
  "cards"?: number;
};

export type Seated = {
  "seat": Seat;
  "player": Player;
  "bot"?: Level;
  "commitment"?: Digest;
  "nonce"?: Nonce;
};

export type Result = {
  "seat": Seat;
  "player": Player;
  "score": number;
  "place": number;
  "turns"?: number;
  "pairs"?: number;
  "tournament"?: number;
  "time": Span;
  "left"?: true;
  "helped"?: true;
  "bot"?: true;
};

export type ListedResult = {
  "player": Player;
  "name"?: string;
  "game": string;
  "mode": string;
  "against": Opponents;
  "score": number;
  "turns": number;
  "time": Span;
  "at": Time;
  "kind": "finished" | "left" | "helped";
  "room"?: Code;
};

/** What opens the commitments: the server seed, and the nonces that players have opened, both missing if a game is not dealt; and what was sealed in the game. */
export type Reveal = {
  "seed"?: Digest;
  "nonces"?: {
    "seat": Seat;
    "nonce": Nonce;
  }[];
  "seals"?: {
    "v": Version;
    "sealed": string;
  }[];
};

/** Memory: what is on the cards. */
export type Theme = {
  "name": string;
  "colour": Colour;
  "kind"?: Kind;
  "faces": Face[];
};

/** Of a game that is played on one; `pairs`, `gap` and `drawn` are Memory's. */
export type Board = {
  "columns": number;
  "rows": number;
  "pairs"?: number;
  "gap"?: Cell;
  "drawn"?: number[];
};

/** The first message. */
export type ClientHello = {
  "type": "hello";
  "token"?: string | null;
  "after"?: number | null;
  "head"?: null | Digest;
};

/** Asks for a `pong` with the same number. */
export type ClientPing = {
  "type": "ping";
  "n": number;
};

/** A seat; without `seat`, the first that is free. */
export type ClientSit = {
  "type": "sit";
  "id": Id;
  "seat"?: number | null;
  "commitment"?: null | Digest;
};

/** Opens the nonce committed to; `commitment` is to the one for the game after. */
export type ClientReady = {
  "type": "ready";
  "id": Id;
  "nonce": Nonce;
  "commitment"?: null | Digest;
};

/** Host only: a computer takes a free seat, or plays for a player who is away or absent. */
export type ClientBot = {
  "type": "bot";
  "id": Id;
  "seat": number;
  "level": Level;
};

/** Host only: takes the seat from its holder. */
export type ClientFree = {
  "type": "free";
  "id": Id;
  "seat": number;
};

/** Host only: this player says nothing more; `on` false: may speak again. */
export type ClientMute = {
  "type": "mute";
  "id": Id;
  "player": Player;
  "on"?: boolean | null;
};

/** Host only: this player loses the seat and does nothing more; `on` false: may come back. */
export type ClientBan = {
  "type": "ban";
  "id": Id;
  "player": Player;
  "on"?: boolean | null;
};

/** A line of chat. */
export type ClientSay = {
  "type": "say";
  "id": Id;
  "text": string;
};

/** One emoji, of at most 64 bytes in UTF-8. */
export type ClientReact = {
  "type": "react";
  "id": Id;
  "emoji": string;
};

/** Gives the seat up. */
export type ClientLeave = {
  "type": "leave";
  "id": Id;
};

/** Host only: changes these options and keeps the others; null takes one back. */
export type ClientOptions = {
  "type": "options";
  "id": Id;
  "options": AskedOptions;
};

/** Host only: has lists show the room, or not. */
export type ClientVisibility = {
  "type": "visibility";
  "id": Id;
  "visibility": Visibility;
};

/** Host only: starts the first game, with everyone who has a seat. */
export type ClientStart = {
  "type": "start";
  "id": Id;
};

/** Asks the table to agree to something. If there is a proposal, agrees to it. */
export type ClientPropose = {
  "type": "propose";
  "id": Id;
  "what": Subject;
};

/** Says yes or no to a proposal; a no of the player who made it withdraws it. */
export type ClientAnswer = {
  "type": "answer";
  "id": Id;
  "agrees": boolean;
  "to": Version;
};

/** Ends being away. */
export type ClientHere = {
  "type": "here";
  "id": Id;
};

/** Host only: closes the room for good. */
export type ClientClose = {
  "type": "close";
  "id": Id;
};

/** Reversi: places a disc. */
export type ClientPlace = {
  "type": "place";
  "id": Id;
  "cell": number;
};

/** Connect four: drops a disc. */
export type ClientDrop = {
  "type": "drop";
  "id": Id;
  "column": number;
};

/** Dots and boxes: draws a line. */
export type ClientDraw = {
  "type": "draw";
  "id": Id;
  "line": number;
};

/** Go Fish: asks the player of a seat for all cards of a rank. */
export type ClientAsk = {
  "type": "ask";
  "id": Id;
  "seat": number;
  "rank": string;
};

/** Goofspiel: bids a card for the prize. */
export type ClientBid = {
  "type": "bid";
  "id": Id;
  "card": number;
};

/** Gives the game up: in every game but Memory. */
export type ClientResign = {
  "type": "resign";
  "id": Id;
};

/** Memory: turns a card up. */
export type ClientFlip = {
  "type": "flip";
  "id": Id;
  "cell": number;
};

/** Memory: moves the cards that lie face down to new places. */
export type ClientShuffle = {
  "type": "shuffle";
  "id": Id;
};

/** The whole visible state at `version`. */
export type HubWelcome = {
  "type": "welcome";
  "version": Version;
  "head": Digest;
  "now": Time;
  "you": You;
  "room": Room;
  "view": null | MemoryView | ReversiView | ConnectFourView | DotsAndBoxesView | GoFishView | GoofspielView | OtherView;
  "names": Names;
  "presence": Presence;
  "chat": Lines;
  "diverged"?: true;
  "spread"?: Span;
};

/** The events after `after` follow. */
export type HubResume = {
  "type": "resume";
  "version": Version;
  "head": Digest;
  "now": Time;
  "you": You;
  "names": Names;
  "presence": Presence;
  "chat": Lines;
  "spread"?: Span;
};

/** A command is done; `v` is the version of its last event. */
export type HubOk = {
  "type": "ok";
  "id": Id;
  "v": Version;
};

/** A command or message is refused: nothing has changed. The values it is about are further fields. */
export type HubError = {
  "type": "error";
  "code": string;
  "message": string;
  "id"?: Id;
};

/** Who is connected. With more than 100 players connected, only those with a seat and the host are in `players`. */
export type Presence = {
  "players": Player[];
  "spectators": number;
};

/** Who came, who went, and what players are called. */
export type HubPresence = {
  "type": "presence";
  "came": Player[];
  "went": Player[];
  "spectators": number;
  "names": Record<string, string | null>;
};

/** The answer to `ping`. */
export type HubPong = {
  "type": "pong";
  "n": number;
  "now": Time;
};

/** In the lobby: all open rooms. */
export type HubRooms = {
  "type": "rooms";
  "rooms": Summary[];
};

/** In the lobby: an open room that is new or has changed. */
export type HubRoom = {
  "type": "room";
  "room": Summary;
};

/** In the lobby: a room that is no longer in the list. */
export type HubRoomGone = {
  "type": "room-gone";
  "code": Code;
};

/** What only this player may see of the running game, at version `v`: after each greeting and each commit. Not recorded. */
export type HubHand = {
  "type": "hand";
  "v": Version;
  "seat": Seat;
  "hand": Record<string, any>;
};

/** Something to tell the user. */
export type HubNotice = {
  "type": "notice";
  "code": string;
  "message": string;
};

/** What a player says. */
export type HubChat = {
  "type": "chat";
  "from": Player;
  "text": string;
  "t": Time;
};

/** An emoji of a player. */
export type HubReaction = {
  "type": "reaction";
  "from": Player;
  "emoji": string;
};

/** The newest lines of chat, the newest last. */
export type Lines = {
  "from": Player;
  "text": string;
  "t": Time;
}[];

/** The first event of every room. */
export type EventRoomOpened = {
  "v": Version;
  "t": Time;
  "type": "room-opened";
  "more"?: More;
  "game": string;
  "options": Options;
  "visibility": Visibility;
  "host": Player;
  "commitment"?: Digest;
};

/** A player or a computer (`bot`) sits down, or commits to another nonce. */
export type EventSeatTaken = {
  "v": Version;
  "t": Time;
  "type": "seat-taken";
  "more"?: More;
  "seat": Seat;
  "player": Player;
  "bot"?: Level;
  "commitment"?: Digest;
};

/** A player who does not play in a running game has stood up. */
export type EventSeatFreed = {
  "v": Version;
  "t": Time;
  "type": "seat-freed";
  "more"?: More;
  "seat": Seat;
  "player": Player;
  "reason": Departure;
};

/** A player has left the running game, for good. */
export type EventPlayerLeft = {
  "v": Version;
  "t": Time;
  "type": "player-left";
  "more"?: More;
  "seat": Seat;
  "player": Player;
  "reason": Departure;
  "game": string;
  "mode": string;
  "number": number;
  "against": Opponents;
  "result": Result;
};

/** All that has been asked for, in place of what was before. */
export type EventOptionsChanged = {
  "v": Version;
  "t": Time;
  "type": "options-changed";
  "more"?: More;
  "options": Options;
};

/** Lists show the room from now on, or no longer. */
export type EventVisibilityChanged = {
  "v": Version;
  "t": Time;
  "type": "visibility-changed";
  "more"?: More;
  "visibility": Visibility;
};

/** A game begins; `turn` follows in the same commit. */
export type EventGameStarted = {
  "v": Version;
  "t": Time;
  "type": "game-started";
  "more"?: More;
  "number": number;
  "options": ResolvedOptions;
  "theme"?: Theme;
  "board"?: Board;
  "seats": Seated[];
  "first": Seat;
};

/** A card is turned up. */
export type EventShowCard = {
  "v": Version;
  "t": Time;
  "type": "show-card";
  "more"?: More;
  "cell": Cell;
  "face": Face;
  "seat": Seat;
  "bonus"?: number;
};

/** Two cards that are up are of a kind and won. */
export type EventMatch = {
  "v": Version;
  "t": Time;
  "type": "match";
  "more"?: More;
  "cells": Cell[];
  "seat": Seat;
  "scores": BySeat;
};

/** The cards of an attempt, one or two, are turned down. */
export type EventHideCard = {
  "v": Version;
  "t": Time;
  "type": "hide-card";
  "more"?: More;
  "cells": Cell[];
  "scores": BySeat;
};

/** Cards that lie face down are moved: a pair [from, to] for each that does not stay. */
export type EventCardsShuffled = {
  "v": Version;
  "t": Time;
  "type": "cards-shuffled";
  "more"?: More;
  "seat": Seat;
  "moves": Cell[][];
};

/** A player asks the table to agree to something. */
export type EventProposed = {
  "v": Version;
  "t": Time;
  "type": "proposed";
  "more"?: More;
  "what": Subject;
  "seat": Seat;
  "player": Player;
  "asked": Seat[];
  "deadline": Time;
};

/** An answer to a proposal. */
export type EventAnswered = {
  "v": Version;
  "t": Time;
  "type": "answered";
  "more"?: More;
  "seat": Seat;
  "player": Player;
  "agrees": boolean;
};

/** The proposal failed. */
export type EventProposalEnded = {
  "v": Version;
  "t": Time;
  "type": "proposal-ended";
  "more"?: More;
  "reason": "declined" | "expired" | "withdrawn";
};

/** Whose turn it is now. */
export type EventTurn = {
  "v": Version;
  "t": Time;
  "type": "turn";
  "more"?: More;
  "seat": Seat;
  "deadline"?: Time;
};

/** All of these seats may act at once. */
export type EventTurns = {
  "v": Version;
  "t": Time;
  "type": "turns";
  "more"?: More;
  "seats": Seat[];
  "deadline"?: Time;
};

/** The time of this seat's turn is up. */
export type EventTurnExpired = {
  "v": Version;
  "t": Time;
  "type": "turn-expired";
  "more"?: More;
  "seat": Seat;
};

/** Three turns in a row have run out: this seat is passed over. */
export type EventAway = {
  "v": Version;
  "t": Time;
  "type": "away";
  "more"?: More;
  "seat": Seat;
};

/** A seat that was away is no longer. */
export type EventBack = {
  "v": Version;
  "t": Time;
  "type": "back";
  "more"?: More;
  "seat": Seat;
};

/** A computer plays for a player who is away or absent. */
export type EventSeatHelped = {
  "v": Version;
  "t": Time;
  "type": "seat-helped";
  "more"?: More;
  "seat": Seat;
  "level": Level;
};

/** The player of the seat is back. */
export type EventSeatReturned = {
  "v": Version;
  "t": Time;
  "type": "seat-returned";
  "more"?: More;
  "seat": Seat;
};

/** The room has another host. */
export type EventHostChanged = {
  "v": Version;
  "t": Time;
  "type": "host-changed";
  "more"?: More;
  "player": Player;
};

/** A player may not speak, or may again. */
export type EventPlayerMuted = {
  "v": Version;
  "t": Time;
  "type": "player-muted";
  "more"?: More;
  "player": Player;
  "on": boolean;
};

/** A player may only watch, or may take part again. */
export type EventPlayerBanned = {
  "v": Version;
  "t": Time;
  "type": "player-banned";
  "more"?: More;
  "player": Player;
  "on": boolean;
};

/** A player opens a nonce, and may commit to the next. */
export type EventReady = {
  "v": Version;
  "t": Time;
  "type": "ready";
  "more"?: More;
  "seat": Seat;
  "nonce": Nonce;
  "commitment"?: Digest;
};

/** Everything of the next game is fixed, and the nonces of `awaited` are waited for until `deadline`. */
export type EventDealing = {
  "v": Version;
  "t": Time;
  "type": "dealing";
  "more"?: More;
  "number": number;
  "options": ResolvedOptions;
  "theme"?: Theme;
  "board"?: Board;
  "seats": Seated[];
  "first": Seat;
  "awaited": Seat[];
  "deadline": Time;
};

/** Reversi: a disc is placed, and turns others over. */
export type EventPlaceDisc = {
  "v": Version;
  "t": Time;
  "type": "place-disc";
  "more"?: More;
  "cell": Square;
  "seat": Seat;
  "flips": Square[];
};

/** Reversi: the seat has no legal move. */
export type EventPass = {
  "v": Version;
  "t": Time;
  "type": "pass";
  "more"?: More;
  "seat": Seat;
};

/** Connect four: a disc is dropped. */
export type EventDropDisc = {
  "v": Version;
  "t": Time;
  "type": "drop-disc";
  "more"?: More;
  "cell": Hole;
  "seat": Seat;
  "line"?: Line;
};

/** Dots and boxes: a line is drawn, which may complete one box or two. */
export type EventDrawLine = {
  "v": Version;
  "t": Time;
  "type": "draw-line";
  "more"?: More;
  "line": Edge;
  "seat": Seat;
  "boxes"?: Box[];
};

/** Go Fish: `seat` asked `of` for a rank, and got so many cards; 0 if there were none. */
export type EventCardsAsked = {
  "v": Version;
  "t": Time;
  "type": "cards-asked";
  "more"?: More;
  "seat": Seat;
  "of": Seat;
  "rank": Rank;
  "count": number;
};

/** Go Fish: a player draws the top card of the pond. */
export type EventCardDrawn = {
  "v": Version;
  "t": Time;
  "type": "card-drawn";
  "more"?: More;
  "seat": Seat;
  "rank"?: Rank;
};

/** Go Fish: a player lays down a book. */
export type EventBook = {
  "v": Version;
  "t": Time;
  "type": "book";
  "more"?: More;
  "seat": Seat;
  "rank": Rank;
};

/** Goofspiel: the next prize is turned up, and all players who are not out may bid. */
export type EventPrizeShown = {
  "v": Version;
  "t": Time;
  "type": "prize-shown";
  "more"?: More;
  "prize": Value;
  "deadline"?: Time;
};

/** Goofspiel: the seat has bid a card, which `seal` fixes without showing it. */
export type EventBidSealed = {
  "v": Version;
  "t": Time;
  "type": "bid-sealed";
  "more"?: More;
  "seat": Seat;
  "seal": Digest;
};

/** Goofspiel: all bids of a round, in the order of turns. Without a `winner` the prizes stay at stake. */
export type EventBidsShown = {
  "v": Version;
  "t": Time;
  "type": "bids-shown";
  "more"?: More;
  "bids": {
    "seat": Seat;
    "card": Value;
    "late"?: true;
  }[];
  "winner"?: Seat;
  "stake": number;
};

/** The seat gives up: in every game but Memory. */
export type EventResigned = {
  "v": Version;
  "t": Time;
  "type": "resigned";
  "more"?: More;
  "seat": Seat;
};

/** The room could not be played: its deadlines move by `ms`. */
export type EventClockExtended = {
  "v": Version;
  "t": Time;
  "type": "clock-extended";
  "more"?: More;
  "ms": Span;
  "until": Time;
  "deadline"?: Time;
};

/** The game is over. */
export type EventGameEnded = {
  "v": Version;
  "t": Time;
  "type": "game-ended";
  "more"?: More;
  "game": string;
  "mode": string;
  "number": number;
  "results": Result[];
  "reason": Reason;
  "unplayed"?: true;
  "reveal"?: Reveal;
  "commitment"?: Digest;
};

/** Nothing comes after this. */
export type EventRoomClosed = {
  "v": Version;
  "t": Time;
  "type": "room-closed";
  "more"?: More;
  "reveal"?: Reveal;
};

export type You = {
  "isHost": boolean;
  "player"?: Player;
  "name"?: string;
  "seat"?: Seat;
};

/** What `welcome` says of the room, without its game. */
export type Room = {
  "code": Code;
  "game": string;
  "options": Options;
  "visibility": Visibility;
  "host": Player;
  "status": Status;
  "seats": {
    "seat": Seat;
    "player"?: Player;
    "bot"?: Level;
    "helped"?: Level;
    "commitment"?: Digest;
  }[];
  "gameNumber": number;
  "commitment"?: Digest;
  "muted"?: Player[];
  "banned"?: Player[];
  "dealing"?: Record<string, any>;
  "players"?: Seated[];
  "first"?: Seat;
  "results"?: Result[];
  "reason"?: Reason;
  "reveal"?: Reveal;
  "proposal"?: {
    "v": Version;
    "what": Subject;
    "seat": Seat;
    "player": Player;
    "asked": Seat[];
    "agreed": Seat[];
    "deadline": Time;
  };
  "wins"?: Record<string, number>;
  "winsUntil"?: Time;
};

/** What a table can agree to: to deal the running game again, or to play another one. */
export type Subject = "restart" | "rematch";

/** A game of Memory as everyone sees it. */
export type MemoryView = {
  "columns": number;
  "rows": number;
  "pairs": number;
  "gap"?: Cell;
  "theme": {
    "name": string;
    "colour": Colour;
    "kind"?: Kind;
  };
  "options": ResolvedOptions & MemoryOptions;
  "cells": Card[];
  "up": Cell[];
  "seats": Seat[];
  "away": Seat[];
  "left": Seat[];
  "shuffled": Seat[];
  "awaited": Awaited;
  "mover"?: Seat;
  "attempts"?: Record<string, Attempt>;
  "deadline"?: Time;
  "revealUntil"?: Time;
  "bonusFrom"?: Time;
  "scores": BySeat;
  "turns": BySeat;
  "won": BySeat;
  "pairsLeft": number;
};

export type Attempt = {
  "cells": Cell[];
  "until"?: Time;
  "bonusFrom"?: Time;
};

/** A game of Reversi as everyone sees it. */
export type ReversiView = {
  "options": ResolvedOptions & ReversiOptions;
  "seats": Seat[];
  "black": Seat;
  "cells": (null | Seat)[];
  "awaited": Awaited;
  "deadline"?: Time;
  "legal": Square[];
  "counts": BySeat;
  "moves": string;
  "last"?: {
    "cell": Square;
    "flips": Square[];
  };
  "out": Out;
};

/** A game of connect four as everyone sees it. */
export type ConnectFourView = {
  "options": ResolvedOptions & ConnectFourOptions;
  "seats": Seat[];
  "first": Seat;
  "cells": (null | Seat)[];
  "awaited": Awaited;
  "deadline"?: Time;
  "turns": BySeat;
  "moves": string;
  "last"?: Hole;
  "line"?: Line;
  "out": Out;
};

/** A game of dots and boxes as everyone sees it. */
export type DotsAndBoxesView = {
  "options": ResolvedOptions & DotsAndBoxesOptions;
  "seats": Seat[];
  "size": number;
  "lines": (null | Seat)[];
  "boxes": (null | Seat)[];
  "awaited": Awaited;
  "deadline"?: Time;
  "scores": BySeat;
  "last"?: Edge;
  "out": Out;
};

/** A game of Go Fish as everyone sees it. */
export type GoFishView = {
  "options": ResolvedOptions & GoFishOptions;
  "seats": Seat[];
  "pond": number;
  "cards": BySeat;
  "books": {
    "seat": Seat;
    "rank": Rank;
  }[];
  "awaited": Awaited;
  "deadline"?: Time;
  "scores": BySeat;
  "last"?: {
    "seat": Seat;
    "of": Seat;
    "rank": Rank;
    "count": number;
    "drew"?: true;
    "lucky"?: true;
  };
  "late": BySeat;
  "out": Out;
};

/** A game of Goofspiel as everyone sees it. */
export type GoofspielView = {
  "options": ResolvedOptions & GoofspielOptions;
  "seats": Seat[];
  "cards": number;
  "prize"?: Value;
  "stake": number;
  "prizes": Values;
  "hands": Record<string, Values>;
  "bidders": Seat[];
  "rounds": {
    "prize": Value;
    "stake": number;
    "bids": BySeat;
    "winner"?: Seat;
  }[];
  "awaited": Awaited;
  "deadline"?: Time;
  "scores": BySeat;
  "late": BySeat;
  "out": Out;
};

/** The `hand` in Goofspiel. */
export type GoofspielHand = {
  "cards": Values;
  "bid"?: Value;
};

/** Memory: what everyone sees of it. */
export type Card = {
  "state": "down" | "gap";
} | {
  "state": "up";
  "face": Face;
} | {
  "state": "won";
  "face": Face;
  "by": Seat;
};

/** Body of POST /api/players. */
export type HttpRegister = {
  "name": string;
  "token": Token;
  "device"?: Label;
};

/** Answer to POST /api/players and PUT /api/players/me/name. */
export type HttpPlayer = {
  "id": Player;
  "name": string;
};

/** Body of PUT /api/players/me/name. */
export type HttpRename = {
  "name": string;
};

/** Answer to GET /api/players/me. */
export type HttpAccount = {
  "id": Player;
  "name": string;
  "devices": {
    "id": string;
    "label": string;
    "since": Time;
    "current"?: true;
  }[];
  "recoveryCode": boolean;
};

/** Body of POST /api/players/devices. */
export type HttpAddDevice = {
  "code": string;
  "token": Token;
  "device"?: Label;
};

/** Answer to POST /api/players/devices. */
export type HttpDevice = {
  "id": Player;
  "name": string;
  "by": "registration" | "link" | "recovery";
};

/** Answer to POST /api/players/me/link-code. */
export type HttpLinkCode = {
  "code": AccountCode;
  "until": Time;
};

/** Answer to POST /api/players/me/recovery-code. */
export type HttpRecoveryCode = {
  "code": AccountCode;
};

/** Body of POST /api/rooms. */
export type HttpOpen = {
  "game": string;
  "options"?: null | AskedOptions;
  "visibility"?: null | Visibility;
};

/** Answer to GET /api/rooms. */
export type HttpRooms = {
  "rooms": Summary[];
};

/** A room in the list. */
export type Summary = {
  "code": Code;
  "game": string;
  "options": Options;
  "visibility": Visibility;
  "host": Player;
  "seats": {
    "taken": number;
    "computers": number;
    "all": number;
  };
  "status": Status;
  "present": number;
  "spectators": number;
  "hostName"?: string;
  "awaited"?: Player[];
  "players"?: Player[];
};

/** Answer to GET /api/players/me/games. */
export type HttpGames = {
  "rooms": Summary[];
  "names": Names;
};

/** Answer to GET /api/rooms/{code} and POST /api/rooms. */
export type HttpRoom = {
  "code": Code;
  "game": string;
  "options": Options;
  "visibility": Visibility;
  "host": Player;
  "seats": {
    "taken": number;
    "computers": number;
    "all": number;
  };
  "status": Status;
  "present": number;
  "spectators": number;
  "hostName"?: string;
  "awaited"?: Player[];
  "names": Names;
};

/** Answer to GET /api/leaderboard. Without `name`: a player who was forgotten. */
export type HttpLeaderboard = {
  "results": ListedResult[];
  "own"?: {
    "result": ListedResult;
    "rank"?: number;
  };
  "next"?: string;
};

/** Any error over HTTP (RFC 9457). The values it is about are further members. */
export type HttpProblem = {
  "type": string;
  "title": string;
  "status": number;
  "code": string;
  "detail": string;
};
