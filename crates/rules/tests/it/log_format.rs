//! The log on the disk: names that must never change.

use rules::clock::Halt;
use rules::gmo::Seed;
use rules::{
    AbortReason, ByColor, Color, Event, Fate, Millis, Outcome, Ply, UnixMillis, WinReason,
    shakmaty::Square,
};

use crate::gmo::army;

const AT: UnixMillis = UnixMillis(1_700_000_000_000);

fn check(event: &Event, json: &str) {
    assert_eq!(serde_json::to_string(event).expect("events are JSON"), json);
    assert_eq!(&serde_json::from_str::<Event>(json).expect("an event"), event);
    assert_eq!(event.at(), AT);
}

fn played(action: &str, left: Option<i64>, lag: i64, passes: u8, fate: Option<Fate>) -> Event {
    let (action, left) = (action.parse().expect("an action"), left.map(Millis));
    Event::Played { action, at: AT, left, lag: Millis(lag), passes, fate: fate.map(Box::new) }
}

#[test]
fn an_action_is_one_short_line() {
    check(&played("e2e4", None, 0, 0, None), r#"{"t":"m","a":"e2e4","at":1700000000000}"#);
    check(
        &played("e7e8q", Some(299_000), 40, 0, None),
        r#"{"t":"m","a":"e7e8q","at":1700000000000,"l":299000,"lag":40}"#,
    );
    check(
        &played("P@e2", Some(1), 0, 1, None),
        r#"{"t":"m","a":"P@e2","at":1700000000000,"l":1,"auto":1}"#,
    );
    let fate = Fate { landing: Some(Square::F5), dna: Some("SACH".into()) };
    check(
        &played("e2e4", None, 0, 0, Some(fate)),
        r#"{"t":"m","a":"e2e4","at":1700000000000,"g":{"to":"f5","dna":"SACH"}}"#,
    );
    let fate = Fate { landing: None, dna: Some("SACH".into()) };
    check(
        &played("=e8:5", None, 0, 0, Some(fate)),
        r#"{"t":"m","a":"=e8:5","at":1700000000000,"g":{"dna":"SACH"}}"#,
    );
}

#[test]
fn every_other_event_has_its_stable_name() {
    let (by, at) = (Color::Black, AT);
    let left = ByColor { white: Some(Millis(5)), black: None };
    check(
        &Event::DrawOffered { by, at },
        r#"{"t":"draw_offered","by":"black","at":1700000000000}"#,
    );
    check(
        &Event::DrawDeclined { by, at },
        r#"{"t":"draw_declined","by":"black","at":1700000000000}"#,
    );
    check(
        &Event::TakebackOffered { by, to: Ply(3), at },
        r#"{"t":"takeback_offered","by":"black","to":3,"at":1700000000000}"#,
    );
    check(
        &Event::TakebackDeclined { by, at },
        r#"{"t":"takeback_declined","by":"black","at":1700000000000}"#,
    );
    check(
        &Event::TakenBack { to: Ply(3), left, at },
        r#"{"t":"taken_back","to":3,"left":{"white":5,"black":null},"at":1700000000000}"#,
    );
    check(
        &Event::TimeAdded { to: by, time: Millis(-7), at },
        r#"{"t":"time_added","to":"black","time":-7,"at":1700000000000}"#,
    );
    check(
        &Event::Berserked { by, time: Millis(7), at },
        r#"{"t":"berserked","by":"black","time":7,"at":1700000000000}"#,
    );
    check(
        &Event::Paused { why: Halt::Weekend, at },
        r#"{"t":"paused","why":"weekend","at":1700000000000}"#,
    );
    check(
        &Event::Paused { why: Halt::Players, at },
        r#"{"t":"paused","why":"players","at":1700000000000}"#,
    );
    check(
        &Event::AdjournmentOffered { by, at },
        r#"{"t":"adjournment_offered","by":"black","at":1700000000000}"#,
    );
    check(
        &Event::AdjournmentDeclined { by, at },
        r#"{"t":"adjournment_declined","by":"black","at":1700000000000}"#,
    );
    check(&Event::Resumed { at }, r#"{"t":"resumed","at":1700000000000}"#);
    check(
        &Event::DowntimeCredited { since: UnixMillis(5), at },
        r#"{"t":"downtime_credited","since":5,"at":1700000000000}"#,
    );
    check(&Event::LeaveTaken { by, at }, r#"{"t":"leave_taken","by":"black","at":1700000000000}"#);
    check(&Event::LeaveEnded { by, at }, r#"{"t":"leave_ended","by":"black","at":1700000000000}"#);
    check(
        &Event::ClocksSet { left, at },
        r#"{"t":"clocks_set","left":{"white":5,"black":null},"at":1700000000000}"#,
    );
    let outcome = Outcome::Win { winner: by, by: WinReason::Mate };
    check(
        &Event::Ended { outcome, at },
        r#"{"t":"ended","outcome":{"kind":"win","winner":"black","by":"mate"},"at":1700000000000}"#,
    );
    let outcome = Outcome::Aborted { by: AbortReason::NoFirstMove };
    check(
        &Event::Ended { outcome, at },
        r#"{"t":"ended","outcome":{"kind":"aborted","by":"no_first_move"},"at":1700000000000}"#,
    );
    check(&Event::Reopened { seed: None, at }, r#"{"t":"reopened","at":1700000000000}"#);
    let seed = format!(r#"{{"t":"reopened","seed":"{}","at":1700000000000}}"#, "07".repeat(32));
    check(&Event::Reopened { seed: Some(Seed([7; 32])), at }, &seed);
    check(&Event::Started { at }, r#"{"t":"started","at":1700000000000}"#);
    let mut army = army(Color::Black);
    army.dna = army.dna.map(|_| "SACH".into());
    check(
        &Event::HandedIn { by, army, at },
        r#"{"t":"handed_in","by":"black","army":{"dna":["SACH","SACH","SACH","SACH","SACH","SACH","SACH","SACH"],"kings":"d8"},"at":1700000000000}"#,
    );
}
