-- Accounts of people who sign up: how they log in, what they have chosen, the links and codes that work once.

-- Somebody who signed up. Guests and former members have no row here: deleting it takes every personal thing along.
CREATE TABLE player (
    account_id            TEXT    NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    -- The name in lower case: names are unique without regard to case.
    name_key              TEXT    NOT NULL UNIQUE,
    email                 TEXT,
    email_key             TEXT    UNIQUE,
    email_verified_at     BIGINT,
    -- In PHC form; none: nobody can log in by password yet.
    password              TEXT,
    must_change_password  BIGINT  NOT NULL CHECK (must_change_password IN (0, 1)),
    state                 TEXT    NOT NULL CHECK (state IN ('pending', 'active', 'deactivated')),
    is_bot                BIGINT  NOT NULL CHECK (is_bot IN (0, 1)),
    -- The class or group of the club.
    group_name            TEXT,
    initial_rating        BIGINT  NOT NULL,
    -- JSON, as the application writes it.
    preferences           TEXT    NOT NULL,
    -- The seed of the second factor, encrypted with the instance's key. It counts once it is confirmed.
    totp_seed             BLOB,
    totp_confirmed_at     BIGINT,
    -- The last step whose code was used: a code is good once.
    totp_last_step        BIGINT  NOT NULL,
    created_at            BIGINT  NOT NULL,
    changed_at            BIGINT  NOT NULL,
    current_login_at      BIGINT,
    last_login_at         BIGINT,
    CHECK ((email IS NULL) = (email_key IS NULL)),
    CHECK (totp_confirmed_at IS NULL OR totp_seed IS NOT NULL)
);

-- A link or ticket that works once and not for long. Only the hash of its token is kept.
CREATE TABLE one_time_token (
    token_hash  BLOB    NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    purpose     TEXT    NOT NULL CHECK (purpose IN ('activation', 'password_reset', 'email_change', 'card', 'second_step')),
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- The address that a change of e-mail is to confirm.
    email       TEXT,
    created_at  BIGINT  NOT NULL,
    expires_at  BIGINT  NOT NULL
);
CREATE INDEX one_time_token_of_account ON one_time_token (account_id, purpose);

-- Codes that stand in for the second factor, once each. Only their hashes are kept; a used one is removed.
CREATE TABLE recovery_code (
    account_id  TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    code_hash   BLOB    NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (account_id, code_hash)
);

-- What the list of sessions shows, and when the password was last asked for.
ALTER TABLE session ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN last_used_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN proved_at BIGINT;
