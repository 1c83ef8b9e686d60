-- Analysis: studies that people keep, what engines said of positions, and reports of games.

-- A tree of variations somebody keeps: PGN with comments and glyphs.
CREATE TABLE study (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    owner_id    TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    variant     TEXT    NOT NULL,
    pgn         TEXT    NOT NULL,
    -- Grows with every change: who writes says which one was read, so that two tabs cannot undo each other's work.
    version     BIGINT  NOT NULL,
    created_at  BIGINT  NOT NULL,
    changed_at  BIGINT  NOT NULL
);
CREATE INDEX study_of_owner ON study (owner_id, changed_at);

-- What an engine said of a position. A cache: what was not used for the longest time goes first.
CREATE TABLE evaluation (
    -- Sixteen bytes of a hash of the variant and the position.
    position  BLOB    NOT NULL CHECK (length(position) = 16),
    engine    TEXT    NOT NULL,
    -- How many lines were asked for, and how far the search was allowed to go.
    lines     BIGINT  NOT NULL CHECK (lines BETWEEN 1 AND 5),
    nodes     BIGINT  NOT NULL,
    depth     BIGINT  NOT NULL,
    -- The lines as JSON, best first.
    found     TEXT    NOT NULL,
    used_at   BIGINT  NOT NULL,
    PRIMARY KEY (position, engine)
);
CREATE INDEX evaluation_used ON evaluation (used_at);

-- The report of a finished game: a job until it is done, then its result.
CREATE TABLE report (
    game_id      TEXT    NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    asked_by     TEXT    REFERENCES account (id) ON DELETE SET NULL,
    -- Whether it was asked for with a whole history: those wait for the others.
    bulk         BIGINT  NOT NULL,
    state        TEXT    NOT NULL CHECK (state IN ('waiting', 'paused', 'done', 'failed')),
    -- Positions an engine looks at for each move.
    nodes        BIGINT  NOT NULL,
    asked_at     BIGINT  NOT NULL,
    finished_at  BIGINT,
    -- The report as JSON, once it is done.
    result       TEXT,
    -- Why it failed.
    problem      TEXT,
    CHECK ((state = 'done') = (result IS NOT NULL))
);
CREATE INDEX report_queue ON report (state, bulk, asked_at);
CREATE INDEX report_of_account ON report (asked_by, bulk, state);
