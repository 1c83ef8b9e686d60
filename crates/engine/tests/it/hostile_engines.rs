//! Engines that misbehave: each ends in a typed error within a bound, nothing of it is left, and the next question works.
#![allow(
    clippy::disallowed_methods,
    reason = "how long a process of the system takes is real time"
)]

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use engine::builtin::Limits;
use engine::jail;
use engine::pool::{
    Choice, EngineError, EngineSettings, Pool, PoolSettings, Priority, Situation, Task, Update,
};
use rules::Position;

const TRIAL: &str = env!("CARGO_BIN_EXE_trial-engine");
/// Nothing may take longer, on a machine that has other things to do.
const BOUND: Duration = Duration::from_secs(20);

/// A word by which the processes of one test are found.
fn tag() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}{:04}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn trial(mode: &str, tag: &str) -> EngineSettings {
    let arguments = [mode, tag].map(OsString::from).to_vec();
    EngineSettings { arguments, ..EngineSettings::new(mode, TRIAL) }
}

fn settings(engines: Vec<EngineSettings>, is_jailed: bool) -> PoolSettings {
    let jail = if is_jailed { vec![TRIAL.into(), "jail".into()] } else { Vec::new() };
    let longest = Duration::from_millis(500);
    PoolSettings {
        engines,
        workers: 1,
        hash_mb: 1,
        memory_mb: 256,
        longest,
        jail,
        ..PoolSettings::default()
    }
}

fn question(engine: Choice) -> Task {
    Task::new(Situation::new(Position::standard()), Limits::depth(4)).by(engine)
}

fn named(mode: &str) -> Choice {
    Choice::Named(mode.to_owned())
}

/// How many processes there are whose command has this word in it.
fn count(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").expect("this test needs /proc").flatten();
    let commands = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|command| String::from_utf8_lossy(command).contains(word)).count()
}

/// Waits until no process has this word in its command.
async fn expect_none_left(word: &str) {
    let watch = Instant::now();
    while count(word) > 0 {
        assert!(watch.elapsed() < BOUND, "{} processes of {word} are left", count(word));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn check(mode: &str, is_expected: fn(&EngineError) -> bool) {
    for is_jailed in [false, true] {
        let tag = tag();
        let pool = Pool::start(settings(vec![trial(mode, &tag), trial("good", &tag)], is_jailed));
        let watch = Instant::now();
        let error = pool.answer(question(named(mode)), Priority::Play).await.unwrap_err();
        assert!(is_expected(&error), "{mode}, jailed: {is_jailed}: {error:?}");
        assert!(watch.elapsed() < BOUND, "{mode} took {:?}", watch.elapsed());
        expect_none_left(&tag).await;
        // The pool itself is unharmed: others answer, and one of them stands in where the choice is ours.
        let good = pool.answer(question(named("good")), Priority::Play).await.unwrap();
        assert_eq!(good.best, Some("e2e4".parse().unwrap()));
        let any = pool.answer(question(Choice::Any), Priority::Play).await.unwrap();
        assert_eq!(any.engine, "good");
        drop(pool);
        expect_none_left(&tag).await;
    }
}

fn is_nonsense(error: &EngineError) -> bool {
    matches!(error, EngineError::Nonsense(_))
}

#[tokio::test]
async fn an_engine_that_never_answers_is_ended() {
    check("silent", |error| *error == EngineError::Hung).await;
    check("ignores_stop", |error| *error == EngineError::Hung).await;
}

#[tokio::test]
async fn an_engine_that_crashes_is_noticed_at_once() {
    check("crash_at_start", |error| *error == EngineError::Crashed).await;
    check("crash", |error| *error == EngineError::Crashed).await;
}

#[tokio::test]
async fn an_engine_that_answers_with_nonsense_is_not_believed() {
    for mode in ["illegal", "illegal_line", "no_move", "garbage"] {
        check(mode, is_nonsense).await;
    }
}

#[tokio::test]
async fn an_engine_that_says_too_much_is_ended() {
    check("endless_info", |error| *error == EngineError::Flooded).await;
    check("long_line", |error| *error == EngineError::Flooded).await;
}

#[tokio::test]
async fn the_children_of_an_engine_end_with_it() {
    // The child keeps the line open, so that the death of its parent shows late.
    check("forks", |error| matches!(error, EngineError::Crashed | EngineError::Hung)).await;
}

#[tokio::test]
async fn an_engine_that_takes_all_memory_ends_itself() {
    let tag = tag();
    // It takes its memory as slowly as a busy machine lets it.
    let longest = BOUND;
    let settings = PoolSettings { longest, ..settings(vec![trial("allocates", &tag)], true) };
    let pool = Pool::start(settings);
    let refused = pool.answer(question(named("allocates")), Priority::Play).await;
    assert_eq!(refused, Err(EngineError::Crashed));
    expect_none_left(&tag).await;
}

#[tokio::test]
async fn a_jailed_engine_reaches_nothing_and_a_free_one_does() {
    assert_eq!(jail::missing(), [""; 0], "this test needs a kernel with Landlock and seccomp");
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "x").unwrap();
    let ask = async |is_jailed: bool, files: &[&Path]| {
        let files = files.iter().map(|&file| file.to_owned()).collect();
        let engine = EngineSettings { files, ..trial("pries", secret.to_str().unwrap()) };
        let pool = Pool::start(settings(vec![engine], is_jailed));
        pool.answer(question(named("pries")), Priority::Play).await
    };
    assert!(is_nonsense(&ask(false, &[]).await.unwrap_err()), "a free engine reaches something");
    assert_eq!(ask(true, &[]).await.unwrap().best, Some("e2e4".parse().unwrap()));
    let own_files = ask(true, &[&secret]).await.unwrap_err();
    assert!(is_nonsense(&own_files), "an engine can read what its owner has named");
}

#[tokio::test]
async fn a_jailed_engine_changes_no_mode_owner_or_time_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "x").unwrap();
    let ask = async |is_jailed: bool| {
        // It may read the file: what it may do with it is all the same nothing else.
        let files = vec![secret.clone()];
        let engine = EngineSettings { files, ..trial("meddles", secret.to_str().unwrap()) };
        let pool = Pool::start(settings(vec![engine], is_jailed));
        pool.answer(question(named("meddles")), Priority::Play).await
    };
    assert!(is_nonsense(&ask(false).await.unwrap_err()), "a free engine can");
    assert_eq!(ask(true).await.unwrap().best, Some("e2e4".parse().unwrap()));
}

/// A script that asks for a socket by the number that call has for x32 programs, and plays e2e4 if it was refused by name.
/// Where nobody looks it is either made or not known.
const BY_OTHER_NUMBERS: &str = r#"
    $| = 1;
    while (<STDIN>) {
        print "uciok\n" if /^uci$/;
        print "readyok\n" if /^isready/;
        next unless /^go/;
        my $made = syscall(0x40000000 + 41, 1, 1, 0);
        print "bestmove ", $made == -1 && $! + 0 == 1 ? "e2e4" : "d2d4", "\n";
    }"#;

#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn calls_that_are_closed_have_no_second_number() {
    let perl = engine::pool::find_program("perl").expect("this test needs perl");
    let arguments = ["-e", BY_OTHER_NUMBERS].map(OsString::from).to_vec();
    // Perl reads the end of its script from there.
    let files = vec!["/dev/null".into()];
    let engine = EngineSettings { arguments, files, ..EngineSettings::new("perl", perl) };
    let pool = Pool::start(PoolSettings { longest: BOUND, ..settings(vec![engine], true) });
    let answer = pool.answer(question(named("perl")), Priority::Play).await.unwrap();
    assert_eq!(answer.best, Some("e2e4".parse().unwrap()), "the call was refused by its number");
}

#[tokio::test]
async fn the_threads_of_a_jailed_engine_have_an_end() {
    let tag = tag();
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("trial-engine");
    std::fs::copy(TRIAL, &program).unwrap();
    let mut jail: Vec<OsString> = vec![program.clone().into(), "jail".into()];
    // The limit does not hold for the superuser, who runs tests in containers: then it is somebody else's engine.
    if rustix::process::getuid().is_root() {
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
        jail.splice(0..0, nobody.map(OsString::from));
    }
    let engine = EngineSettings { program, ..trial("threads", &tag) };
    let pool = Pool::start(PoolSettings {
        jail,
        memory_mb: 16 * 1024,
        longest: BOUND,
        ..settings(vec![engine], true)
    });
    let answer = pool.answer(question(named("threads")), Priority::Play).await;
    assert_eq!(answer.unwrap().best, Some("e2e4".parse().unwrap()));
    drop(pool);
    expect_none_left(&tag).await;
}

/// The unit asks systemd to take calls away before the server begins; the jail needs some of them afterwards.
#[tokio::test]
async fn under_the_unit_of_systemd_engines_start_and_are_locked_in() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/rookery.service");
    let ask = async |unit: &Path| {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "x").unwrap();
        let jail = [OsString::from(TRIAL), "unit".into(), unit.into(), "jail".into()];
        let engine = trial("pries", secret.to_str().unwrap());
        let settings = PoolSettings { jail: jail.to_vec(), ..settings(vec![engine], true) };
        Pool::start(settings).answer(question(named("pries")), Priority::Play).await
    };
    assert_eq!(ask(&unit).await.unwrap().best, Some("e2e4".parse().unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let careless = folder.path().join("careless.service");
    std::fs::write(&careless, "SystemCallFilter=@system-service\nSystemCallFilter=~@resources\n")
        .unwrap();
    assert_eq!(ask(&careless).await, Err(EngineError::Crashed), "without its calls it is no jail");
}

#[tokio::test]
async fn an_engine_that_fails_again_and_again_is_left_alone() {
    let tag = tag();
    let pool = Pool::start(settings(vec![trial("crash", &tag)], false));
    for _ in 0..3 {
        let failed = pool.answer(question(named("crash")), Priority::Play).await;
        assert_eq!(failed, Err(EngineError::Crashed));
    }
    let rests = pool.answer(question(named("crash")), Priority::Play).await;
    assert_eq!(rests, Err(EngineError::Resting));
}

#[tokio::test]
async fn who_plays_does_not_wait_for_an_engine_that_never_says_hello() {
    let tag = tag();
    let pool = Pool::start(settings(vec![trial("mute", &tag)], true));
    let watch = Instant::now();
    let any = pool.answer(question(Choice::Any), Priority::Play).await.unwrap();
    assert_eq!(any.engine, "builtin");
    let first = watch.elapsed();
    assert!(first < Duration::from_secs(9), "shorter than a greeting may take: {first:?}");
    let again = Instant::now();
    assert!(pool.answer(question(Choice::Any), Priority::Play).await.is_ok());
    assert!(again.elapsed() < first, "it is left alone now");
    expect_none_left(&tag).await;
}

#[tokio::test]
async fn who_plays_does_not_wait_until_an_engine_has_said_hello_to_somebody_else() {
    let tag = tag();
    let pool = Pool::start(settings(vec![trial("mute", &tag)], true));
    let mut analyst = pool.ask(question(named("mute")), Priority::Analysis);
    let played = pool.answer(question(Choice::Builtin), Priority::Play).await;
    assert!(played.is_ok());
    // It has not waited for the end of the greeting: the analyst was sent back into the queue.
    assert_eq!(analyst.next().await, Some(Update::Waiting { ahead: 0 }));
    drop((analyst, pool));
    expect_none_left(&tag).await;
}

#[tokio::test]
async fn an_engine_that_died_in_its_sleep_is_replaced() {
    let tag = tag();
    let pool = Pool::start(settings(vec![trial("good", &tag)], false));
    for _ in 0..2 {
        assert!(pool.answer(question(named("good")), Priority::Play).await.is_ok());
        assert_eq!(count(&tag), 1, "one process is kept");
        end_all(&tag);
        expect_none_left(&tag).await;
    }
    assert!(pool.answer(question(named("good")), Priority::Play).await.is_ok());
}

#[tokio::test]
async fn what_an_engine_says_unasked_is_no_answer_to_the_next_question() {
    let tag = tag();
    let pool = Pool::start(settings(vec![trial("answers_twice", &tag)], false));
    for _ in 0..3 {
        let answer = pool.answer(question(named("answers_twice")), Priority::Play).await;
        assert_eq!(answer.unwrap().best, Some("e2e4".parse().unwrap()));
    }
    assert_eq!(count(&tag), 1, "it is the same process all the time");
}

/// Ends the processes that have this word in their command.
fn end_all(word: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&command).contains(word) {
            let id = entry.file_name().to_str().unwrap().parse().unwrap();
            kill_process(Pid::from_raw(id).unwrap(), Signal::KILL).unwrap();
        }
    }
}

#[tokio::test]
async fn everybody_who_gets_the_engines_ready_gets_the_same_process() {
    let tag = tag();
    let pool = Pool::start(settings(vec![trial("patient", &tag)], true));
    for _ in 0..5 {
        tokio::join!(pool.warm_up(), pool.warm_up(), pool.warm_up());
    }
    assert_eq!(count(&tag), 1, "fifteen visits leave one process");
    let mut ticket = pool.ask(question(named("patient")), Priority::Analysis);
    assert!(matches!(ticket.next().await, Some(Update::Line(_))));
    pool.warm_up().await;
    assert_eq!(count(&tag), 1, "who comes while it is asked waits for it");
    drop(ticket);
    assert!(pool.answer(question(named("patient")), Priority::Analysis).await.is_ok());
    assert_eq!(count(&tag), 1);
    drop(pool);
    expect_none_left(&tag).await;
}

#[tokio::test]
async fn a_question_that_is_taken_back_stops_the_engine_and_keeps_it() {
    let tag = tag();
    let pool = Pool::start(settings(vec![trial("patient", &tag)], true));
    let mut ticket = pool.ask(question(named("patient")), Priority::Analysis);
    assert!(matches!(ticket.next().await, Some(Update::Line(_))));
    drop(ticket);
    let again = pool.answer(question(named("patient")), Priority::Analysis).await.unwrap();
    assert_eq!(again.best, Some("e2e4".parse().unwrap()));
    assert_eq!(count(&tag), 1, "the same process answers again");
}
