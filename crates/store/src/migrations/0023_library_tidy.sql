-- library's tidying

-- Accounts at services that have another name now: their games up to a number are known under the old one. Such games
-- get new numbers, some at a time, so that every index takes them in again and nobody waits for all of them.
CREATE TABLE library_renamed (
    service_account_id  BIGINT  NOT NULL PRIMARY KEY REFERENCES service_account (id) ON DELETE CASCADE,
    up_to               BIGINT  NOT NULL
);

-- Members who have left, while games that they brought are still there: these go some at a time.
CREATE TABLE library_left (
    account_id  TEXT  NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE
);

-- The next number of an import. One row. A number is the name of a file too: none is given twice.
CREATE TABLE import_number (
    id    BIGINT  NOT NULL PRIMARY KEY CHECK (id = 1),
    next  BIGINT  NOT NULL
);
INSERT INTO import_number (id, next) SELECT 1, COALESCE(MAX(id), 0) + 1 FROM import_job;

-- How many games there are up to a number is counted at every start: without the games themselves.
CREATE INDEX library_bundle_count ON library_bundle (last_seq, games);

-- Whoever sat at a side of a game had an account at the service where it was played, and every game of a service was
-- somebody's. A game of a service that is nobody's was never shown to anybody.
CREATE UNIQUE INDEX service_account_at ON service_account (id, service_id);
DELETE FROM library_game WHERE service_id IS NOT NULL AND white_account_id IS NULL AND black_account_id IS NULL;

-- postgres:
ALTER TABLE library_game
    ADD FOREIGN KEY (white_account_id, service_id) REFERENCES service_account (id, service_id),
    ADD FOREIGN KEY (black_account_id, service_id) REFERENCES service_account (id, service_id),
    ADD CHECK (service_id IS NULL OR white_account_id IS NOT NULL OR black_account_id IS NOT NULL);

-- sqlite:
-- A table gets no new conditions here: it is made anew. Reports of its games stand aside meanwhile, so that they do not
-- go with the old one.
CREATE TABLE library_game_of (
    seq               INTEGER NOT NULL PRIMARY KEY,
    service_id        TEXT    REFERENCES service (id),
    external_id       TEXT,
    game_id           TEXT    UNIQUE REFERENCES game (id),
    white_account_id  BIGINT  REFERENCES service_account (id),
    black_account_id  BIGINT  REFERENCES service_account (id),
    importer_id       TEXT    REFERENCES account (id) ON DELETE CASCADE,
    import_id         BIGINT  REFERENCES import_job (id) ON DELETE SET NULL,
    digest            BIGINT  NOT NULL,
    body              BLOB,
    UNIQUE (importer_id, digest),
    UNIQUE (service_id, external_id),
    FOREIGN KEY (white_account_id, service_id) REFERENCES service_account (id, service_id),
    FOREIGN KEY (black_account_id, service_id) REFERENCES service_account (id, service_id),
    CHECK ((service_id IS NULL) = (importer_id IS NOT NULL)),
    CHECK ((COALESCE(service_id, '') = 'here') = (game_id IS NOT NULL)),
    CHECK ((COALESCE(service_id, 'here') <> 'here') = (external_id IS NOT NULL)),
    CHECK ((game_id IS NULL) = (body IS NOT NULL)),
    CHECK (importer_id IS NULL OR (white_account_id IS NULL AND black_account_id IS NULL)),
    CHECK (service_id IS NULL OR white_account_id IS NOT NULL OR black_account_id IS NOT NULL)
);
INSERT INTO library_game_of (seq, service_id, external_id, game_id, white_account_id, black_account_id, importer_id,
                             import_id, digest, body)
SELECT seq, service_id, external_id, game_id, white_account_id, black_account_id, importer_id, import_id, digest, body
FROM library_game;
CREATE TABLE report_aside AS SELECT * FROM report WHERE library_game_id IS NOT NULL;
DELETE FROM report WHERE library_game_id IS NOT NULL;
DROP TABLE library_game;
ALTER TABLE library_game_of RENAME TO library_game;
INSERT INTO report SELECT * FROM report_aside;
DROP TABLE report_aside;
CREATE INDEX library_game_of_import ON library_game (import_id);
CREATE INDEX library_game_white ON library_game (white_account_id) WHERE white_account_id IS NOT NULL;
CREATE INDEX library_game_black ON library_game (black_account_id) WHERE black_account_id IS NOT NULL;
