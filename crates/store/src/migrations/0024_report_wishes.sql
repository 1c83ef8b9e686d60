-- Reports: who wants one stands beside it. Two who played a game may both want its report, and one of them may put it
-- off or call it off without the other losing it.

-- The report of a game: a job until it is done, then its result.
CREATE TABLE report_with_wishes (
    -- The game's id, or `#` and its number in the library.
    subject          TEXT    NOT NULL PRIMARY KEY,
    game_id          TEXT    UNIQUE REFERENCES game (id) ON DELETE CASCADE,
    library_game_id  BIGINT  UNIQUE REFERENCES library_game (seq) ON DELETE CASCADE,
    state            TEXT    NOT NULL CHECK (state IN ('waiting', 'done', 'failed')),
    -- Positions an engine looks at for each move.
    nodes            BIGINT  NOT NULL,
    finished_at      BIGINT,
    -- The report as JSON, once it is done.
    result           TEXT,
    -- Why it failed.
    problem          TEXT,
    CHECK ((game_id IS NULL) <> (library_game_id IS NULL)),
    CHECK ((state = 'done') = (result IS NOT NULL))
);
INSERT INTO report_with_wishes (subject, game_id, library_game_id, state, nodes, finished_at, result, problem)
SELECT subject, game_id, library_game_id, CASE state WHEN 'paused' THEN 'waiting' ELSE state END, nodes, finished_at,
       result, problem
FROM report;

-- Who wants a report. One that waits and that nobody wants is not made.
CREATE TABLE report_wish (
    subject     TEXT    NOT NULL REFERENCES report_with_wishes (subject) ON DELETE CASCADE,
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- Whether it was asked for with a whole history: those wait for the others.
    bulk        BIGINT  NOT NULL CHECK (bulk IN (0, 1)),
    -- Whether it is to wait until its turn is asked for again.
    paused      BIGINT  NOT NULL CHECK (paused IN (0, 1)),
    asked_at    BIGINT  NOT NULL,
    PRIMARY KEY (subject, account_id)
);
INSERT INTO report_wish (subject, account_id, bulk, paused, asked_at)
SELECT subject, asked_by, CASE bulk WHEN 0 THEN 0 ELSE 1 END, CASE state WHEN 'paused' THEN 1 ELSE 0 END, asked_at
FROM report WHERE asked_by IS NOT NULL;
CREATE INDEX report_wish_of ON report_wish (account_id, bulk);

DROP TABLE report;
ALTER TABLE report_with_wishes RENAME TO report;
CREATE INDEX report_queue ON report (state);
