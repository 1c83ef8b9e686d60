-- Two people at one computer, and the few digits by which a member confirms there to be the one who plays.

-- Games that are played on one screen. Whoever began one makes the moves of both sides, and nobody else makes any.
CREATE TABLE one_computer (
    game_id  TEXT  NOT NULL PRIMARY KEY REFERENCES game (id) ON DELETE CASCADE,
    host_id  TEXT  NOT NULL REFERENCES account (id)
);
CREATE INDEX one_computer_of ON one_computer (host_id);

-- A member's PIN. It opens no account. A try is counted before it is judged; after five wrong ones only the password helps.
CREATE TABLE pin (
    account_id  TEXT    NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    -- In PHC form.
    hash        TEXT    NOT NULL,
    tries       BIGINT  NOT NULL CHECK (tries BETWEEN 0 AND 5),
    set_at      BIGINT  NOT NULL
);
