-- Events: tournaments of every system, online and over the board.

CREATE TABLE event (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    -- The name in lower case, for searching.
    name_key    TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('draft', 'registration', 'check_in', 'running', 'finished')),
    visibility  TEXT    NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    owner_id    TEXT    NOT NULL REFERENCES account (id),
    starts_at   BIGINT,
    -- The regulations: JSON, as the application writes it.
    settings    TEXT    NOT NULL,
    -- Grows by one with every action: of two who act on the same version, one is told to look again.
    version     BIGINT  NOT NULL,
    -- When the program acts by itself: the next round, the end of an arena.
    due_at      BIGINT,
    -- The secret behind the codes on the tables. Who has none of them and no role enters no result.
    table_key   TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL,
    changed_at  BIGINT  NOT NULL
);
CREATE INDEX event_order ON event (visibility, created_at, id);
CREATE INDEX event_due ON event (due_at);

-- Somebody who plays. People without an account have a name here; the others are called what their account is called.
CREATE TABLE event_player (
    event_id    TEXT    NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    -- In the order of entry, from 1; never used again.
    number      BIGINT  NOT NULL,
    account_id  TEXT    REFERENCES account (id),
    name        TEXT    NOT NULL,
    -- The pairing number, given when the event begins.
    seed        BIGINT,
    state       TEXT    NOT NULL CHECK (state IN ('entered', 'checked_in', 'withdrawn')),
    -- Rating, title, federation, requested byes and so on: JSON, as the application writes it.
    details     TEXT    NOT NULL,
    entered_at  BIGINT  NOT NULL,
    PRIMARY KEY (event_id, number),
    UNIQUE (event_id, account_id),
    UNIQUE (event_id, seed)
);
CREATE INDEX event_player_account ON event_player (account_id);

-- A round that was published.
CREATE TABLE event_round (
    event_id      TEXT    NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    round         BIGINT  NOT NULL CHECK (round > 0),
    published_at  BIGINT  NOT NULL,
    PRIMARY KEY (event_id, round)
);

-- A board of a round, and how it ended.
CREATE TABLE event_board (
    event_id      TEXT    NOT NULL,
    round         BIGINT  NOT NULL,
    board         BIGINT  NOT NULL CHECK (board > 0),
    -- The game, if it is played here.
    game_id       TEXT    UNIQUE REFERENCES game (id),
    -- The result in a word; none while it is open.
    result        TEXT,
    -- What the two players say it is, until they agree.
    white_report  TEXT,
    black_report  TEXT,
    PRIMARY KEY (event_id, round, board),
    FOREIGN KEY (event_id, round) REFERENCES event_round (event_id, round) ON DELETE CASCADE
);

-- Where somebody is in a round: at one side of one board, or free. The key is the promise: once, and in one place.
CREATE TABLE event_seat (
    event_id  TEXT    NOT NULL,
    round     BIGINT  NOT NULL,
    player    BIGINT  NOT NULL,
    board     BIGINT,
    color     TEXT    CHECK (color IN ('white', 'black')),
    bye       TEXT    CHECK (bye IN ('full', 'half', 'zero', 'pairing')),
    PRIMARY KEY (event_id, round, player),
    UNIQUE (event_id, round, board, color),
    FOREIGN KEY (event_id, round) REFERENCES event_round (event_id, round) ON DELETE CASCADE,
    FOREIGN KEY (event_id, player) REFERENCES event_player (event_id, number),
    CHECK ((board IS NULL) = (color IS NULL)),
    CHECK ((board IS NULL) = (bye IS NOT NULL))
);

-- Everything that was done in an event. Only added to; `undo` is what would take the action back.
CREATE TABLE event_action (
    event_id  TEXT    NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    -- The version of the event that the action made.
    version   BIGINT  NOT NULL,
    at        BIGINT  NOT NULL,
    -- Who; nobody: the program by itself, or somebody with the code of a table.
    actor_id  TEXT    REFERENCES account (id),
    act       TEXT    NOT NULL,
    detail    TEXT    NOT NULL,
    undo      TEXT,
    PRIMARY KEY (event_id, version)
);

-- What was said in the room of an event.
CREATE TABLE event_chat_line (
    event_id    TEXT    NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    number      BIGINT  NOT NULL,
    account_id  TEXT    NOT NULL REFERENCES account (id),
    text        TEXT    NOT NULL CHECK (length(text) BETWEEN 1 AND 500),
    at          BIGINT  NOT NULL,
    PRIMARY KEY (event_id, number)
);
