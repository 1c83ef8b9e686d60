-- Live play: ratings, rated games, challenges of every kind, chat.

-- How a game counts, and how strong both were thought when it began.
ALTER TABLE game ADD COLUMN rated BIGINT NOT NULL DEFAULT 0;
-- The pool it belongs to, `standard/blitz`; none if it belongs to no pool.
ALTER TABLE game ADD COLUMN pool TEXT;
ALTER TABLE game ADD COLUMN white_rating BIGINT;
ALTER TABLE game ADD COLUMN black_rating BIGINT;
-- The opening as far as it has a name: ECO code, a space, the name.
ALTER TABLE game ADD COLUMN opening TEXT;
CREATE INDEX game_ended ON game (pool, ended_at);

-- How strong somebody is in a pool. Can be computed again from `rating_change`, or from the games alone.
CREATE TABLE rating (
    account_id  TEXT              NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    pool        TEXT              NOT NULL,
    rating      DOUBLE PRECISION  NOT NULL,
    deviation   DOUBLE PRECISION  NOT NULL,
    volatility  DOUBLE PRECISION  NOT NULL,
    peak        DOUBLE PRECISION  NOT NULL,
    games       BIGINT            NOT NULL,
    wins        BIGINT            NOT NULL,
    draws       BIGINT            NOT NULL,
    losses      BIGINT            NOT NULL,
    last_game   BIGINT,
    PRIMARY KEY (account_id, pool)
);
CREATE INDEX rating_order ON rating (pool, rating);

-- What one game changed. The key is the promise: a game counts once.
CREATE TABLE rating_change (
    game_id            TEXT              NOT NULL REFERENCES game (id),
    account_id         TEXT              NOT NULL REFERENCES account (id),
    pool               TEXT              NOT NULL,
    at                 BIGINT            NOT NULL,
    rating_before      DOUBLE PRECISION  NOT NULL,
    deviation_before   DOUBLE PRECISION  NOT NULL,
    volatility_before  DOUBLE PRECISION  NOT NULL,
    rating_after       DOUBLE PRECISION  NOT NULL,
    deviation_after    DOUBLE PRECISION  NOT NULL,
    volatility_after   DOUBLE PRECISION  NOT NULL,
    PRIMARY KEY (game_id, account_id)
);
CREATE INDEX rating_change_of ON rating_change (account_id, pool, at);

-- Challenges again, with everything they can be: a link, a question to one player, a seek in the lobby, a rematch.
CREATE TABLE new_challenge (
    id              TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    kind            TEXT    NOT NULL CHECK (kind IN ('link', 'direct', 'seek', 'rematch')),
    challenger_id   TEXT    NOT NULL REFERENCES account (id),
    -- Whom a direct challenge asks.
    asked_id        TEXT    REFERENCES account (id),
    -- The colour the challenger asked for; 'random' is drawn when somebody accepts.
    color           TEXT    NOT NULL CHECK (color IN ('white', 'black', 'random')),
    -- rules::Setup as JSON: everything about the game that never changes.
    setup           TEXT    NOT NULL,
    rated           BIGINT  NOT NULL,
    -- A seek may ask for opponents within these ratings.
    lowest_rating   BIGINT,
    highest_rating  BIGINT,
    state           TEXT    NOT NULL CHECK (state IN ('open', 'accepted', 'cancelled', 'declined', 'expired')),
    -- Why it was declined, in a word of a fixed list.
    reason          TEXT,
    -- A rematch is offered once per game, to the other player of that game alone.
    rematch_of      TEXT    UNIQUE,
    created_at      BIGINT  NOT NULL,
    expires_at      BIGINT,
    CHECK ((kind = 'direct') = (asked_id IS NOT NULL)),
    CHECK ((kind = 'rematch') = (rematch_of IS NOT NULL))
);
INSERT INTO new_challenge (id, kind, challenger_id, color, setup, rated, state, rematch_of, created_at)
    SELECT id, CASE WHEN rematch_of IS NULL THEN 'link' ELSE 'rematch' END, challenger_id, color, setup, 0, state,
           rematch_of, created_at
    FROM challenge;
DROP TABLE challenge;
ALTER TABLE new_challenge RENAME TO challenge;
CREATE INDEX challenge_open ON challenge (state, kind, created_at);
CREATE INDEX challenge_asked ON challenge (asked_id, state);

-- What was said at a board. Players and watchers have a room each.
CREATE TABLE chat_line (
    game_id     TEXT    NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    number      BIGINT  NOT NULL,
    room        TEXT    NOT NULL CHECK (room IN ('players', 'watchers')),
    account_id  TEXT    NOT NULL REFERENCES account (id),
    text        TEXT    NOT NULL CHECK (length(text) BETWEEN 1 AND 500),
    at          BIGINT  NOT NULL,
    PRIMARY KEY (game_id, number)
);

-- Whom somebody does not want to hear or meet.
CREATE TABLE mute (
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    muted_id    TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at          BIGINT  NOT NULL,
    PRIMARY KEY (account_id, muted_id)
);
