-- ChessDefender for one player: who has tried which prepared position, and how it went.

-- An attempt. Its result follows from the log of its game and can be computed again.
CREATE TABLE defender_attempt (
    game_id      TEXT    NOT NULL PRIMARY KEY REFERENCES game (id),
    -- The prepared position.
    position_id  TEXT    NOT NULL CHECK (length(position_id) BETWEEN 1 AND 20),
    account_id   TEXT    NOT NULL REFERENCES account (id),
    -- Against whom: the level of the bot, and the engine that played for it.
    level        BIGINT  NOT NULL CHECK (level BETWEEN 1 AND 8),
    engine       TEXT    NOT NULL,
    state        TEXT    NOT NULL CHECK (state IN ('running', 'won', 'lost')),
    -- Points spent and moves of phase two, once it is over.
    points       BIGINT,
    moves        BIGINT,
    ended_at     BIGINT,
    CHECK ((state = 'running') = (ended_at IS NULL))
);
CREATE INDEX defender_attempt_best ON defender_attempt (position_id, state, points);
CREATE INDEX defender_attempt_of ON defender_attempt (account_id, position_id);
