-- The game library: games of this club, of other sites, and out of files, in one place.

-- A place where games are played: this club, or a site whose accounts can be connected.
CREATE TABLE service (
    id    TEXT  NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 20),
    name  TEXT  NOT NULL
);
INSERT INTO service (id, name) VALUES ('here', 'this club'), ('lichess', 'lichess.org'), ('chesscom', 'chess.com');

-- Somebody at a service, whether they ever come here or not. At most one user has it, and a user may have many.
CREATE TABLE service_account (
    id          INTEGER NOT NULL PRIMARY KEY,
    service_id  TEXT    NOT NULL REFERENCES service (id),
    -- What the service knows them by: the name in lower case, or the account's id in this club.
    name_key    TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    account_id  TEXT    REFERENCES account (id) ON DELETE SET NULL,
    UNIQUE (service_id, name_key)
);
CREATE INDEX service_account_of ON service_account (account_id);

-- A file on its way into the library. Its games and its counts are written together, so that a crash loses neither.
CREATE TABLE import_job (
    id          INTEGER NOT NULL PRIMARY KEY,
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    file_name   TEXT    NOT NULL CHECK (length(file_name) BETWEEN 1 AND 200),
    state       TEXT    NOT NULL CHECK (state IN ('uploading', 'running', 'done', 'cancelled', 'failed')),
    -- How long the file is, and how much of it is dealt with.
    bytes       BIGINT  NOT NULL,
    bytes_done  BIGINT  NOT NULL,
    -- Games and problems between games that are dealt with: where to go on after a restart.
    items       BIGINT  NOT NULL,
    games       BIGINT  NOT NULL,
    duplicates  BIGINT  NOT NULL,
    bad         BIGINT  NOT NULL,
    -- Why it failed, in words for its owner.
    problem     TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL,
    ended_at    BIGINT,
    CHECK ((state IN ('uploading', 'running')) = (ended_at IS NULL))
);
CREATE INDEX import_job_of ON import_job (account_id, id);

-- What was wrong in a file, by line. Only the first ones are kept; `bad` counts them all.
CREATE TABLE import_problem (
    job_id  BIGINT  NOT NULL REFERENCES import_job (id) ON DELETE CASCADE,
    number  BIGINT  NOT NULL,
    line    BIGINT  NOT NULL,
    reason  TEXT    NOT NULL,
    PRIMARY KEY (job_id, number)
);

-- A game of the library. One that was played at a service belongs to the accounts that played it; one out of a file
-- belongs to whoever brought it, alone, and goes with them.
CREATE TABLE library_game (
    -- Given once and never again: the index beside the database goes by it.
    seq               INTEGER NOT NULL PRIMARY KEY,
    service_id        TEXT    REFERENCES service (id),
    -- The name of the game at the service.
    external_id       TEXT,
    -- The game, if it was played here: its log tells it, so nothing is kept twice.
    game_id           TEXT    UNIQUE REFERENCES game (id),
    white_account_id  BIGINT  REFERENCES service_account (id),
    black_account_id  BIGINT  REFERENCES service_account (id),
    importer_id       TEXT    REFERENCES account (id) ON DELETE CASCADE,
    import_id         BIGINT  REFERENCES import_job (id) ON DELETE SET NULL,
    -- Who played what and when, as a number: the same game twice has the same.
    digest            BIGINT  NOT NULL,
    -- The packed game.
    body              BLOB,
    UNIQUE (importer_id, digest),
    UNIQUE (service_id, external_id),
    CHECK ((service_id IS NULL) = (importer_id IS NOT NULL)),
    CHECK ((COALESCE(service_id, '') = 'here') = (game_id IS NOT NULL)),
    CHECK ((COALESCE(service_id, 'here') <> 'here') = (external_id IS NOT NULL)),
    CHECK ((game_id IS NULL) = (body IS NOT NULL)),
    CHECK (importer_id IS NULL OR (white_account_id IS NULL AND black_account_id IS NULL))
);
CREATE INDEX library_game_of_import ON library_game (import_id);
CREATE INDEX library_game_white ON library_game (white_account_id);
CREATE INDEX library_game_black ON library_game (black_account_id);

-- The next number of a game. One row.
CREATE TABLE library_number (
    id    BIGINT  NOT NULL PRIMARY KEY CHECK (id = 1),
    next  BIGINT  NOT NULL
);
INSERT INTO library_number (id, next) VALUES (1, 1);
