//! The commands an owner has for the data itself: backups, restoring, a look at everything, settings, stopping.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod binary;

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use binary::{Server, bad, good, rookery};
use serde_json::Value;

/// Two guests and a game between them; gives its id.
fn begin_game(server: &Server) -> String {
    let cookie_of = |answer: &str| {
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        cookie.split(';').next().unwrap().to_owned()
    };
    let terms =
        r#"{"time":{"kind":"fischer","initial_ms":180000,"increment_ms":2000},"color":"white"}"#;
    let made = server.ask("POST", "/api/v1/challenges", "", terms);
    assert!(made.starts_with("HTTP/1.1 201"), "{made}");
    let white = cookie_of(&made);
    let made: Value = serde_json::from_str(made.split_once("\r\n\r\n").unwrap().1).unwrap();
    let id = made["id"].as_str().unwrap().to_owned();
    let taken = server.ask("POST", &format!("/api/v1/challenges/{id}/acceptance"), "", "{}");
    assert!(taken.starts_with("HTTP/1.1 200"), "{taken}");
    let black = cookie_of(&taken);
    for (cookie, ply, uci) in [(&white, 0, "e2e4"), (&black, 1, "e7e5")] {
        let body = format!("{{\"ply\":{ply},\"uci\":\"{uci}\"}}");
        let played = server.ask("POST", &format!("/api/v1/games/{id}/moves"), cookie, &body);
        assert!(played.starts_with("HTTP/1.1 200"), "{played}");
    }
    id
}

/// The report of a command that was asked for JSON.
fn report(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_backup_taken_beside_a_running_server_comes_back_into_an_empty_place_only() {
    let folder = tempfile::tempdir().unwrap();
    let (data, elsewhere) = (folder.path().join("data"), folder.path().join("elsewhere"));
    std::fs::create_dir(&data).unwrap();
    let server = Server::start(&data);
    let id = begin_game(&server);
    let file = folder.path().join("club.db");
    let told = good(&data, &["backup", text(&file)]);
    assert!(told.starts_with("written to ") && told.contains("1 games (1 running)"), "{told}");
    assert!(bad(&data, &["backup", text(&file)]).contains("exists already"));
    assert!(good(&data, &["restore", "--verify", text(&file)]).starts_with("the backup is whole"));
    let missing = folder.path().join("none.db");
    assert!(bad(&elsewhere, &["restore", text(&missing)]).contains("there is no file"));
    assert!(bad(&data, &["restore", text(&file)]).contains("already runs"), "a server is there");

    let index = elsewhere.join("library/index");
    std::fs::create_dir_all(&index).unwrap();
    std::fs::write(index.join("old"), "of another club").unwrap();
    let told = report(&good(&elsewhere, &["restore", "--json", text(&file)]));
    assert_eq!((&told["games"], &told["running"]), (&1.into(), &1.into()), "{told}");
    assert!(!index.exists(), "it told of other games");
    let again = Server::start(&elsewhere);
    let view = again.ask("GET", &format!("/api/v1/games/{id}"), "", "");
    assert!(view.contains("\"ply\":2"), "{view}");
    drop(again);
    assert!(bad(&elsewhere, &["restore", text(&file)]).contains("there is data already"));

    // Killed, it has left its log beside the database: one without the other is a trap.
    assert!(elsewhere.join("rookery.db-wal").exists());
    std::fs::remove_file(elsewhere.join("rookery.db")).unwrap();
    let refused = bad(&elsewhere, &["restore", text(&file)]);
    assert!(refused.contains("rookery.db-wal is left of another database"), "{refused}");
}

#[test]
fn a_damaged_backup_is_not_called_whole_and_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let (data, elsewhere) = (folder.path().join("data"), folder.path().join("elsewhere"));
    good(&data, &["admin", "create", "anna"]);
    let file = folder.path().join("club.db");
    good(&data, &["backup", text(&file)]);
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8_000].fill(0x5a);
    std::fs::write(&file, bytes).unwrap();
    for args in [&["restore", "--verify", text(&file)][..], &["restore", text(&file)]] {
        assert_eq!(rookery(&elsewhere, args).output().unwrap().status.code(), Some(1), "{args:?}");
    }
    assert!(!elsewhere.join("rookery.db").exists());
}

#[test]
fn the_doctor_finds_what_is_wrong_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let told = good(&data, &["doctor"]);
    assert!(told.contains("does not exist yet") && !data.exists(), "it only looks: {told}");
    good(&data, &["admin", "create", "anna"]);
    drop(Server::start(&data));
    let told = good(&data, &["doctor"]);
    for word in
        ["can be written", "closed to others", "MB free", "instance.key is there", "no problem"]
    {
        assert!(told.contains(word), "{word}: {told}");
    }
    assert!(told.contains("connections at once"), "{told}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let told = good(&data, &["doctor", "--listen", &taken.local_addr().unwrap().to_string()]);
    assert!(told.contains("is in use"), "most likely by the club itself: {told}");
    // An address for documents: no machine has it.
    let output = rookery(&data, &["doctor", "--listen", "203.0.113.1:8080"]).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("BAD  address: nobody can listen on 203.0.113.1:8080"), "{told}");
    assert_eq!(output.status.code(), Some(1));

    let mode = |file: &Path, mode| {
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&data, 0o755);
    mode(&data.join("rookery.db"), 0o644);
    std::fs::write(data.join("instance.key"), "rubbish").unwrap();
    let settings = "[[engines.installed]]\nname = \"deep\"\npath = \"/nowhere/deep\"\n";
    std::fs::write(data.join("rookery.toml"), settings).unwrap();
    let output = rookery(&data, &["doctor", "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let findings = report(std::str::from_utf8(&output.stdout).unwrap());
    let of = |what: &str| {
        let found = findings.as_array().unwrap().iter().find(|finding| finding["what"] == what);
        let found = found.unwrap();
        (found["good"].as_bool().unwrap(), found["detail"].as_str().unwrap())
    };
    for (what, word) in
        [("privacy", "chmod 700"), ("instance key", "damaged"), ("engines", "/nowhere/deep")]
    {
        let (is_good, detail) = of(what);
        assert!(!is_good && detail.contains(word), "{what}: {detail}");
    }
    assert!(of("database").0 && of("disk").0);
}

#[test]
fn a_server_takes_as_many_open_files_as_the_system_allows_and_lets_no_more_people_in() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut command = Command::new("/bin/sh");
    let script = "ulimit -Sn 300; ulimit -Hn 1000; exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_rookery"), "serve", "--data", text(data)]);
    let server = Server::run(command, data);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.process_id())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    assert_eq!(files.matches("1000").count(), 2, "{files}");
    let log = std::fs::read_to_string(data.join("log")).unwrap();
    assert!(log.contains("\"connections\":744"), "{log}");
}

#[test]
fn data_and_backups_are_closed_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    good(&data, &["admin", "create", "anna"]);
    let file = folder.path().join("club.db");
    good(&data, &["backup", text(&file)]);
    for path in [&data, &data.join("rookery.db"), &file] {
        let mode = std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", path.display());
    }
}

#[test]
fn the_settings_in_force_are_shown_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    std::fs::write(data.join("rookery.toml"), "[web]\nmetrics = true\n").unwrap();
    let mut command = rookery(data, &["config", "show", "--json"]);
    command.env("ROOKERY_DATABASE", "postgres://db/club?password=s3cret");
    command.env("ROOKERY_MAIL_PASSWORD", "s3cret").env("ROOKERY_METRICS", "false");
    let output = command.output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(!shown.contains("s3cret"), "{shown}");
    let shown = report(&shown);
    assert_eq!(shown["database"], "postgres://db/club?password=***");
    assert_eq!(shown["web"]["metrics"], false, "the environment wins over the file");
    let shown = good(data, &["config", "show", "--metrics"]);
    assert!(shown.contains("metrics = true"), "a flag without a word means yes: {shown}");
}

#[test]
fn a_server_that_is_asked_to_stop_stops_in_good_order() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut server = Server::start(data);
    let id = begin_game(&server);
    server.signal("TERM");
    assert_eq!(server.wait().code(), Some(0));
    let log = std::fs::read_to_string(data.join("log")).unwrap();
    assert!(log.contains("stopping") && log.contains("\"stopped\""), "{log}");
    let report = report(&good(data, &["backup", "--json", text(&data.join("after.db"))]));
    assert_eq!(report["events"], 3, "two moves, and that the clocks stand: {report}");
    let server = Server::start(data);
    let view = server.ask("GET", &format!("/api/v1/games/{id}"), "", "");
    assert!(view.contains("\"paused\":false"), "{view}");
}

#[test]
fn a_second_signal_ends_a_server_that_still_waits_for_somebody() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut server = Server::start(data);
    // A request that never ends: those who are there may take a moment for their last answer.
    let _slow = server.begin("POST", "/api/v1/challenges", 100);
    server.signal("TERM");
    let is_stopping = || std::fs::read_to_string(data.join("log")).unwrap().contains("stopping");
    while !is_stopping() {
        assert!(server.is_running(), "it ended before it was asked twice");
        std::thread::yield_now();
    }
    server.signal("TERM");
    assert_eq!(server.wait().code(), Some(1));
}
