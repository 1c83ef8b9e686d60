-- Connected accounts: who plays at another site under which name, and how far their games have come over.

-- A member's claim to an account at a site. Before it is proven it gives nothing; then the account at the service is
-- theirs (`service_account.account_id`), its games come in, and nobody else can have it.
CREATE TABLE connection (
    id                  INTEGER NOT NULL PRIMARY KEY,
    account_id          TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    service_id          TEXT    NOT NULL REFERENCES service (id) CHECK (service_id <> 'here'),
    -- The name at the service, in lower case and as it is written there.
    name_key            TEXT    NOT NULL,
    name                TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
    -- `stopped`: no more games come, those that are there stay.
    state               TEXT    NOT NULL CHECK (state IN ('unproven', 'active', 'stopped')),
    -- What is to be put into the profile there.
    code                TEXT    NOT NULL,
    -- A key of the site's, encrypted before it comes here.
    token               BLOB,
    service_account_id  BIGINT  UNIQUE REFERENCES service_account (id),
    -- Up to where the games are here, in the words of the site's own way; empty for the beginning.
    reached             TEXT    NOT NULL,
    -- How far the first time is: games or months, as the site counts.
    done                BIGINT  NOT NULL,
    total               BIGINT  NOT NULL,
    -- Games that came in by this connection, and those that could not be read or are of an unknown variant.
    games               BIGINT  NOT NULL,
    skipped             BIGINT  NOT NULL,
    -- Attempts that failed one after the other, and why the last one did; empty if it did not.
    failures            BIGINT  NOT NULL,
    problem             TEXT    NOT NULL,
    created_at          BIGINT  NOT NULL,
    proved_at           BIGINT,
    -- When the site was last asked, and when everything was last here.
    asked_at            BIGINT,
    synced_at           BIGINT,
    -- When the site is to be asked next; none if only somebody's wish can tell.
    next_at             BIGINT,
    UNIQUE (account_id, service_id, name_key),
    CHECK ((state = 'unproven') = (service_account_id IS NULL)),
    CHECK ((state = 'unproven') = (proved_at IS NULL)),
    CHECK (state <> 'stopped' OR (next_at IS NULL AND token IS NULL))
);
CREATE INDEX connection_due ON connection (service_id, next_at);

-- Games that were still being played when the site told of them: asked for by name until they have ended.
CREATE TABLE unfinished_game (
    connection_id  BIGINT  NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
    external_id    TEXT    NOT NULL,
    PRIMARY KEY (connection_id, external_id)
);
