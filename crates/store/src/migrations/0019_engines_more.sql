-- Engines: reports of games of the library too, which were not played here.

-- The report of a game: a job until it is done, then its result.
CREATE TABLE report_of (
    -- The game's id, or `#` and its number in the library.
    subject          TEXT    NOT NULL PRIMARY KEY,
    game_id          TEXT    UNIQUE REFERENCES game (id) ON DELETE CASCADE,
    library_game_id  BIGINT  UNIQUE REFERENCES library_game (seq) ON DELETE CASCADE,
    asked_by         TEXT    REFERENCES account (id) ON DELETE SET NULL,
    -- Whether it was asked for with a whole history: those wait for the others.
    bulk             BIGINT  NOT NULL,
    state            TEXT    NOT NULL CHECK (state IN ('waiting', 'paused', 'done', 'failed')),
    -- Positions an engine looks at for each move.
    nodes            BIGINT  NOT NULL,
    asked_at         BIGINT  NOT NULL,
    finished_at      BIGINT,
    -- The report as JSON, once it is done.
    result           TEXT,
    -- Why it failed.
    problem          TEXT,
    CHECK ((game_id IS NULL) <> (library_game_id IS NULL)),
    CHECK ((state = 'done') = (result IS NOT NULL))
);
INSERT INTO report_of (subject, game_id, asked_by, bulk, state, nodes, asked_at, finished_at, result, problem)
SELECT game_id, game_id, asked_by, bulk, state, nodes, asked_at, finished_at, result, problem FROM report;
DROP TABLE report;
ALTER TABLE report_of RENAME TO report;
CREATE INDEX report_queue ON report (state, bulk, asked_at);
CREATE INDEX report_of_account ON report (asked_by, bulk, state);
