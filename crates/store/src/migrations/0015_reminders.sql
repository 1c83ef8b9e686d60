-- Reminders by mail and by push: what somebody wants to be told, what was told, and what is on its way to a browser.

-- What somebody wants to be told. Goes with the player, as everything personal does.
CREATE TABLE reminder_choice (
    account_id  TEXT    NOT NULL PRIMARY KEY REFERENCES player (account_id) ON DELETE CASCADE,
    -- JSON, as the application writes it.
    choice      TEXT    NOT NULL,
    -- When the next daily letter is due; none if it is not wanted.
    digest_at   BIGINT,
    changed_at  BIGINT  NOT NULL
);
CREATE INDEX reminder_digest ON reminder_choice (digest_at);

-- What somebody is to be told, once. The key is the promise: a game has one line for each kind, and its number (the ply)
-- says for which move; a line without a moment has been told or has settled itself.
CREATE TABLE reminder (
    account_id  TEXT    NOT NULL REFERENCES player (account_id) ON DELETE CASCADE,
    kind        TEXT    NOT NULL CHECK (kind IN ('move', 'low', 'invitation', 'result')),
    -- The game, or the challenge.
    subject     TEXT    NOT NULL,
    number      BIGINT  NOT NULL,
    -- Since when it waits.
    since       BIGINT  NOT NULL,
    due_at      BIGINT,
    PRIMARY KEY (account_id, kind, subject)
);
CREATE INDEX reminder_due ON reminder (due_at);
CREATE INDEX reminder_subject ON reminder (subject);

-- Games that ended while nobody could note it are looked for at a start.
CREATE INDEX game_ended_at ON game (ended_at) WHERE ended_at IS NOT NULL;

-- Where a mail's reader says that no more should come; empty for mails about the account itself.
ALTER TABLE mail ADD COLUMN unsubscribe TEXT NOT NULL DEFAULT '';

-- The key by which push services know this club. Its secret half is encrypted with the instance's key.
CREATE TABLE push_key (
    number  BIGINT  NOT NULL PRIMARY KEY CHECK (number = 1),
    sealed  BLOB    NOT NULL
);

-- Browsers that asked to be told. One that is signed out is told nothing: it goes with its session.
CREATE TABLE push_subscription (
    id          TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    account_id  TEXT    NOT NULL REFERENCES player (account_id) ON DELETE CASCADE,
    token_hash  BLOB    NOT NULL REFERENCES session (token_hash) ON DELETE CASCADE,
    endpoint    TEXT    NOT NULL UNIQUE CHECK (length(endpoint) <= 1000),
    -- The browser's key, and the secret it shares with us.
    public_key  BLOB    NOT NULL CHECK (length(public_key) = 65),
    auth        BLOB    NOT NULL CHECK (length(auth) = 16),
    device      TEXT    NOT NULL,
    created_at  BIGINT  NOT NULL
);
CREATE INDEX push_subscription_of ON push_subscription (account_id);
CREATE INDEX push_subscription_session ON push_subscription (token_hash);

-- What is on its way to a browser: kept until its push service has taken it.
CREATE TABLE push_message (
    id               TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 8),
    subscription_id  TEXT    NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE,
    -- What it says, in JSON. It is encrypted when it is sent.
    payload          TEXT    NOT NULL CHECK (length(payload) <= 2000),
    attempts         BIGINT  NOT NULL,
    due_at           BIGINT  NOT NULL,
    created_at       BIGINT  NOT NULL
);
CREATE INDEX push_message_due ON push_message (due_at);
CREATE INDEX push_message_to ON push_message (subscription_id);
