-- The first schema. Text that SQLite and PostgreSQL both understand; `BLOB` is written `BYTEA` for PostgreSQL.
-- Moments are Unix milliseconds. Tables are append-only files once released: later changes are later files.

-- A person or machine that can sit at a board. A guest has no name of their own yet.
CREATE TABLE account (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    kind        TEXT    NOT NULL CHECK (kind IN ('guest', 'player')),
    name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    created_at  BIGINT  NOT NULL
);

-- What an account may do beyond playing.
CREATE TABLE account_role (
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    role        TEXT    NOT NULL CHECK (role IN ('arbiter', 'director', 'administrator')),
    granted_at  BIGINT  NOT NULL,
    PRIMARY KEY (account_id, role)
);

-- A browser that is known. Only the hash of its token is kept.
CREATE TABLE session (
    token_hash   BLOB    NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    account_id   TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at   BIGINT  NOT NULL,
    expires_at   BIGINT  NOT NULL
);
CREATE INDEX session_of_account ON session (account_id);

-- An open hand: "play me". Its id becomes the id of its game.
CREATE TABLE challenge (
    id             TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    challenger_id  TEXT    NOT NULL REFERENCES account (id),
    -- The colour the challenger asked for; 'random' is drawn when somebody accepts.
    color          TEXT    NOT NULL CHECK (color IN ('white', 'black', 'random')),
    -- rules::Setup as JSON: everything about the game that never changes.
    setup          TEXT    NOT NULL,
    state          TEXT    NOT NULL CHECK (state IN ('open', 'accepted', 'cancelled')),
    -- A rematch is offered once per game, to the other player of that game alone.
    rematch_of     TEXT    UNIQUE,
    created_at     BIGINT  NOT NULL
);
CREATE INDEX challenge_open ON challenge (state, created_at);

-- A game. The truth is its log of events; every other column is a summary written in the same transaction.
CREATE TABLE game (
    id           TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    setup        TEXT    NOT NULL,
    white_id     TEXT    NOT NULL REFERENCES account (id),
    black_id     TEXT    NOT NULL REFERENCES account (id),
    state        TEXT    NOT NULL CHECK (state IN ('running', 'finished')),
    -- rules::Outcome as JSON, once there is one.
    outcome      TEXT,
    position     TEXT    NOT NULL,
    ply          BIGINT  NOT NULL,
    created_at   BIGINT  NOT NULL,
    ended_at     BIGINT,
    -- Events 1..=log_version, one JSON text a line, compressed with zstd. Later ones are still in `journal`.
    log          BLOB,
    log_version  BIGINT  NOT NULL,
    CHECK ((state = 'finished') = (outcome IS NOT NULL)),
    CHECK ((state = 'finished') = (ended_at IS NOT NULL)),
    CHECK ((log IS NULL) = (log_version = 0))
);
CREATE INDEX game_state ON game (state, created_at);
CREATE INDEX game_white ON game (white_id, created_at);
CREATE INDEX game_black ON game (black_id, created_at);

-- The tails of all logs in the order they were written. Deliberately without a second index: appending is all that
-- a move pays for. Read once at start; a finished or quiet game is folded into its row and its lines are removed.
CREATE TABLE journal (
    seq      BIGINT  NOT NULL PRIMARY KEY,
    game_id  TEXT    NOT NULL,
    version  BIGINT  NOT NULL,
    body     TEXT    NOT NULL
);

-- What the owner of this instance has set.
CREATE TABLE setting (
    key    TEXT  NOT NULL PRIMARY KEY,
    value  TEXT  NOT NULL
);
