-- Correspondence, and the arbiter's desk.

-- What somebody wrote to the player a challenge asks.
CREATE TABLE invitation (
    challenge_id  TEXT  NOT NULL PRIMARY KEY REFERENCES challenge (id) ON DELETE CASCADE,
    message       TEXT  NOT NULL CHECK (length(message) BETWEEN 1 AND 500)
);

-- "If he plays this, I play that": lines from a ply on at which the other side is to move. Nobody but their author
-- sees them; they answer by themselves when the game follows one.
CREATE TABLE conditional (
    game_id     TEXT    NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    ply         BIGINT  NOT NULL,
    -- A line of moves per line of text, moves apart by a space.
    lines       TEXT    NOT NULL,
    changed_at  BIGINT  NOT NULL,
    PRIMARY KEY (game_id, account_id)
);

-- What a player notes about a game for nobody else.
CREATE TABLE game_note (
    game_id     TEXT    NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    text        TEXT    NOT NULL CHECK (length(text) BETWEEN 1 AND 20000),
    changed_at  BIGINT  NOT NULL,
    PRIMARY KEY (game_id, account_id)
);

-- Up to which line somebody has read what was said at a board.
CREATE TABLE chat_seen (
    game_id     TEXT    NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    number      BIGINT  NOT NULL,
    PRIMARY KEY (game_id, account_id)
);

-- What somebody has put away from their inbox: `challenge:ID`, `decision:NUMBER`.
CREATE TABLE put_away (
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    item        TEXT    NOT NULL,
    at          BIGINT  NOT NULL,
    PRIMARY KEY (account_id, item)
);

-- When the players of a game came to its board and left it.
CREATE TABLE presence (
    game_id     TEXT    NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at          BIGINT  NOT NULL,
    is_here     BIGINT  NOT NULL
);
CREATE INDEX presence_of ON presence (game_id, at);

-- What an arbiter decided about a game, and why. Nothing is ever removed from it.
CREATE TABLE decision (
    number          BIGINT  NOT NULL PRIMARY KEY,
    game_id         TEXT    NOT NULL REFERENCES game (id),
    arbiter_id      TEXT    NOT NULL REFERENCES account (id),
    at              BIGINT  NOT NULL,
    -- What was done, in a word: `result`, `annul`, `reopen`, `clocks`, `adjourn`, `resume`.
    act             TEXT    NOT NULL,
    reason          TEXT    NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
    -- The result before and after as rules::Outcome in JSON; none while the game runs.
    outcome_before  TEXT,
    outcome_after   TEXT
);
CREATE INDEX decision_of ON decision (game_id, number);
