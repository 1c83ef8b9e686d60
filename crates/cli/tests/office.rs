//! The commands an owner has for accounts, games and mail, run as an owner runs them: the real binary, beside a real server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[allow(dead_code, reason = "the tests of the server use more of it")]
#[path = "../../server/tests/it/smtp.rs"]
mod smtp;

mod binary;

use binary::{Server, bad, good, password_in};
use server::config::MailTls;
use smtp::MailServer;

#[test]
fn the_machine_s_owner_makes_and_helps_people_with_and_without_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let made = good(data, &["admin", "create", "anna", "--role", "administrator"]);
    assert!(bad(data, &["admin", "create", "Anna"]).contains("taken"));
    assert!(bad(data, &["admin", "create", "a b"]).contains("spaces"));
    assert!(bad(data, &["admin", "create", "bert", "--email", "bert"]).contains("--email"));
    let server = Server::start(data);
    let cookie = server.log_in("anna", password_in(&made));
    let me = server.ask("GET", "/api/v1/me", &cookie, "");
    assert!(me.contains("\"name\":\"anna\"") && me.contains("administrator"), "{me}");

    // From here on beside the running server.
    let made = good(data, &["admin", "create", "bert", "--email", "bert@example.org"]);
    let cookie = server.log_in("bert@example.org", password_in(&made));
    good(data, &["admin", "grant", "bert", "director"]);
    assert!(server.ask("GET", "/api/v1/me", &cookie, "").contains("director"));
    good(data, &["admin", "revoke", "bert", "director"]);
    assert!(bad(data, &["admin", "revoke", "bert", "director"]).contains("no director"));
    assert!(
        bad(data, &["admin", "revoke", "anna", "administrator"]).contains("last administrator")
    );
    good(data, &["admin", "revoke-sessions", "bert"]);
    assert!(server.ask("GET", "/api/v1/me", &cookie, "").contains("\"account\":null"));
    let reset = good(data, &["admin", "reset-password", "bert"]);
    server.log_in("bert", password_in(&reset));
    assert!(bad(data, &["admin", "grant", "nobody", "director"]).contains("nobody is called"));
    assert!(good(data, &["admin", "list", "--role", "administrator"]).starts_with("anna "));
    let list: serde_json::Value =
        serde_json::from_str(&good(data, &["admin", "list", "--json"])).unwrap();
    assert_eq!(list[1]["email"], "bert@example.org");
}

#[test]
fn log_ins_and_refusals_are_in_the_log_with_the_address_and_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let made = good(data, &["admin", "create", "anna"]);
    let server = Server::start(data);
    let cookie = server.log_in("anna", password_in(&made));
    let body = "{\"name_or_email\":\"anna\",\"password\":\"my-secret-guess\"}";
    assert!(server.ask("POST", "/api/v1/log-in", "", body).starts_with("HTTP/1.1 401"));
    server.ask("GET", "/api/v1/admin/users?query=nosy-query", &cookie, "");
    drop(server);
    let log = std::fs::read_to_string(data.join("log")).unwrap();
    let has = |words: &[&str]| log.lines().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(has(&["logged in", "127.0.0.1", "timestamp"]), "{log}");
    assert!(has(&["bad_credentials", "127.0.0.1", "/api/v1/log-in"]), "{log}");
    assert!(has(&["must_change_password", "/api/v1/admin/users"]) || has(&["forbidden"]), "{log}");
    let secret = cookie.split_once('=').unwrap().1;
    for hidden in ["my-secret-guess", "nosy-query", password_in(&made), secret] {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
}

#[tokio::test]
async fn a_test_mail_says_what_the_mail_server_said() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let to = ["mail", "test", "ann@example.org"];
    assert!(bad(data, &to).contains("no mail server"));
    let mut server = MailServer::start(MailTls::Tls).await;
    let config = server.config();
    let text = format!(
        "[web]\npublic_url = \"http://localhost\"\n[mail]\nserver = \"localhost\"\nport = {}\ntls = \"tls\"\nauthority = \"{}\"\nfrom = \"{}\"\n",
        config.port, config.authority, config.from
    );
    std::fs::write(data.join("rookery.toml"), text).unwrap();
    good(data, &to);
    assert!(server.mails()[0].contains("To: ann@example.org"));
    assert!(bad(data, &["mail", "test", "ann"]).contains("no e-mail address"));
    server.stop();
    assert!(bad(data, &to).contains("did not take it"));
}

const GAMES: &str = "[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:03:00] good} 1... e5 (1... c5) 1-0\n\n\
                     [White \"Anna\"]\n[Black \"Carla\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                     [White \"Carla\"]\n[Black \"Anna\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n";

#[test]
fn a_file_of_games_comes_in_while_the_club_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    good(data, &["admin", "create", "anna"]);
    let (plain, packed) = (data.join("games.pgn"), data.join("games.pgn.gz"));
    std::fs::write(&plain, GAMES).unwrap();
    let file = std::fs::File::create(&packed).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, GAMES.as_bytes()).unwrap();
    gzip.finish().unwrap();
    let (plain, packed) = (plain.to_str().unwrap(), packed.to_str().unwrap());
    let told = good(data, &["import", "--user", "anna", plain]);
    assert!(told.contains("line 11: ") && told.contains("not legal"), "{told}");
    assert!(told.ends_with("2 new games, 0 already there, 1 with errors"), "{told}");
    let told = good(data, &["import", "--user", "anna", "--json", packed]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let counts = (told["games"].as_i64(), told["duplicates"].as_i64());
    assert_eq!(counts, (Some(0), Some(2)), "{told}");
    assert!(bad(data, &["import", "--user", "nobody", plain]).contains("nobody is called"));
    assert!(bad(data, &["import", "--user", "anna", "missing.pgn"]).contains("missing.pgn"));
    let _server = Server::start(data);
    assert!(bad(data, &["import", "--user", "anna", plain]).contains("a server runs"));
    assert!(bad(data, &["export", "--user", "anna"]).contains("its page"));
}

#[test]
fn games_go_out_while_the_club_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    for name in ["anna", "bert"] {
        good(data, &["admin", "create", name]);
    }
    let file = data.join("games.pgn");
    std::fs::write(&file, GAMES).unwrap();
    good(data, &["import", "--user", "anna", file.to_str().unwrap()]);
    let out = good(data, &["export", "--user", "anna"]);
    assert!(out.contains("1. e4 {[%clk 0:03:00] good} 1... e5 (1... c5) 1-0"), "{out}");
    let lines = good(data, &["export", "--user", "anna", "--format", "ndjson"]);
    assert_eq!(lines.lines().count(), 2);
    for line in lines.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(game["pgn"].as_str().unwrap().contains("[White "), "{game}");
    }
    assert_eq!(good(data, &["export", "--user", "bert"]), "", "they are Anna's alone");
    let copy = data.join("copy.pgn");
    let copy = copy.to_str().unwrap();
    assert!(good(data, &["export", "--user", "anna", copy]).starts_with("2 games written to"));
    assert_eq!(std::fs::read_to_string(copy).unwrap().trim_end(), out);
    assert!(bad(data, &["export", "--user", "anna", copy]).contains("exists already"));
    let told = good(data, &["import", "--user", "bert", copy]);
    assert!(told.ends_with("2 new games, 0 already there, 0 with errors"), "{told}");
}
