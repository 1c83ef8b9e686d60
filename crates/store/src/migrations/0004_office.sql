-- The club's office: mails on their way out, who did what, invitations, keys for programs.

-- A mail that has not been handed to the mail server yet, or could not be. A sent one is removed: its text may hold
-- a link that opens an account, and nobody needs it here any more. A failed one loses its text for the same reason.
CREATE TABLE mail (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    recipient   TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    plain       TEXT    NOT NULL,
    html        TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'failed')),
    attempts    BIGINT  NOT NULL,
    -- When to try (again).
    due_at      BIGINT  NOT NULL,
    -- What the mail server or the line said the last time.
    problem     TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL
);
CREATE INDEX mail_due ON mail (state, due_at);
CREATE INDEX mail_recipient ON mail (recipient);

-- Every act of an administrator and every change to somebody's security. Lines are only ever added. No references:
-- the log outlives what it speaks of.
CREATE TABLE audit (
    seq         BIGINT  NOT NULL PRIMARY KEY,
    at          BIGINT  NOT NULL,
    -- Who did it; nobody: somebody at the machine itself, or the program.
    actor_id    TEXT,
    act         TEXT    NOT NULL,
    -- To whom.
    subject_id  TEXT,
    detail      TEXT    NOT NULL
);
CREATE INDEX audit_actor ON audit (actor_id, seq);
CREATE INDEX audit_subject ON audit (subject_id, seq);

-- A link by which people may sign up where sign-up is by invitation. Only the hash of its token is kept.
CREATE TABLE invite (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    token_hash  BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    made_by     TEXT    REFERENCES account (id),
    uses_left   BIGINT  NOT NULL CHECK (uses_left >= 0),
    created_at  BIGINT  NOT NULL,
    expires_at  BIGINT  NOT NULL
);

-- A key by which a program acts for somebody, within its scopes. Only the hash is kept.
CREATE TABLE api_token (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    token_hash  BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    -- Words with spaces between: play read tournament admin.
    scopes      TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL,
    expires_at  BIGINT  NOT NULL,
    used_at     BIGINT
);
CREATE INDEX api_token_of_account ON api_token (account_id);
