-- What is written to the arbiter about a game, and by arbiters for each other.
CREATE TABLE remark (
    number      BIGINT  NOT NULL PRIMARY KEY,
    game_id     TEXT    NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    account_id  TEXT    NOT NULL REFERENCES account (id),
    -- A player calls an arbiter, or an arbiter notes something.
    kind        TEXT    NOT NULL CHECK (kind IN ('call', 'note')),
    text        TEXT    NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
    at          BIGINT  NOT NULL,
    -- When an arbiter has seen to a call; none: it waits. Notes wait for nobody.
    settled_at  BIGINT
);
CREATE INDEX remark_of ON remark (game_id, number);
-- A player has one open call about a game: what else there is to say can be said when it is answered.
CREATE UNIQUE INDEX remark_open ON remark (game_id, account_id) WHERE kind = 'call' AND settled_at IS NULL;
