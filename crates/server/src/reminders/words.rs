//! What reminders say, in a mail and in a browser.

use rules::{Color, Outcome};
use store::ReminderKind;

use crate::correspondence::wire::MyGame;
use crate::games::slow_games::About;
use crate::push::Notification;

const HOUR: i64 = 3_600_000;

/// What one reminder says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// A few words.
    pub(super) subject: String,
    /// A sentence.
    pub(super) text: String,
    /// The label of the link.
    pub(super) label: &'static str,
    /// The page, as a path.
    pub(super) path: String,
}

impl Words {
    /// The same in a browser.
    pub(super) fn notification(&self, kind: ReminderKind) -> Notification {
        Notification {
            title: self.subject.clone(),
            body: self.text.clone(),
            url: self.path.clone(),
            tag: format!("{}:{}", kind.as_str(), self.path),
        }
    }
}

/// About a game.
pub(super) fn of_game(kind: ReminderKind, id: &str, about: &About, now: i64) -> Words {
    let other = &about.other;
    let (subject, text) = match kind {
        ReminderKind::Low if about.is_mustering => (
            format!("Your time runs out against {other}"),
            format!(
                "Your army is awaited in your game against {other}, and you have {} left.",
                left(about.flag_at, now)
            ),
        ),
        ReminderKind::Low => (
            format!("Your time runs out against {other}"),
            format!(
                "It is your move against {other}, and you have {} left.",
                left(about.flag_at, now)
            ),
        ),
        ReminderKind::Result => result(about),
        ReminderKind::Move | ReminderKind::Invitation if about.is_mustering => (
            format!("Your game against {other} has begun"),
            format!(
                "Your army is awaited{}. The clocks start once both are there.",
                by_when(about.flag_at, now)
            ),
        ),
        ReminderKind::Move | ReminderKind::Invitation if about.ply == 0 => (
            format!("Your game against {other} has begun"),
            format!("You have the first move{}.", by_when(about.flag_at, now)),
        ),
        ReminderKind::Move | ReminderKind::Invitation => (
            format!("Your move against {other}"),
            format!("{other} has moved. It is your turn{}.", by_when(about.flag_at, now)),
        ),
    };
    Words { subject, text, label: "Open the game", path: format!("/{id}") }
}

/// About an invitation.
pub(super) fn of_invitation(from: &str, message: Option<&str>) -> Words {
    let text = match message {
        Some(message) => format!("{from} invites you to a game of chess and writes: {message}"),
        None => format!("{from} invites you to a game of chess."),
    };
    Words {
        subject: format!("{from} invites you to a game"),
        text,
        label: "Open your inbox",
        path: "/inbox".to_owned(),
    }
}

/// A line of the daily letter.
pub(super) fn line(game: &MyGame, now: i64) -> String {
    let other = match game.you {
        Color::White => &game.players.black.name,
        Color::Black => &game.players.white.name,
    };
    let turn = match game.to_act {
        None if game.is_your_move => {
            format!("your army is awaited{}", by_when(game.flag_at, now))
        }
        _ if game.is_your_move => format!("your move{}", by_when(game.flag_at, now)),
        _ if game.is_adjourned => "stopped for the moment".to_owned(),
        None => "their army is awaited".to_owned(),
        Some(_) => "their move".to_owned(),
    };
    format!("{other}: {turn}")
}

fn result(about: &About) -> (String, String) {
    let other = &about.other;
    match about.outcome {
        Some(Outcome::Win { winner, .. }) if winner == about.side => (
            format!("You won against {other}"),
            format!("Your game against {other} is over: you won."),
        ),
        Some(Outcome::Win { .. }) => (
            format!("You lost against {other}"),
            format!("Your game against {other} is over: {other} won."),
        ),
        Some(Outcome::Draw { .. }) => (
            format!("Draw against {other}"),
            format!("Your game against {other} is over: it is a draw."),
        ),
        Some(Outcome::Aborted { .. }) | None => (
            format!("No game against {other}"),
            format!("Your game against {other} was called off. It does not count."),
        ),
    }
}

fn by_when(flag_at: Option<i64>, now: i64) -> String {
    flag_at.map_or(String::new(), |_| format!(", with {} left", left(flag_at, now)))
}

/// A time in the words of somebody who looks at a calendar.
fn left(flag_at: Option<i64>, now: i64) -> String {
    let hours = (flag_at.unwrap_or(now) - now).max(0) / HOUR;
    match hours {
        0 => "less than an hour".to_owned(),
        1 => "an hour".to_owned(),
        2..=47 => format!("{hours} hours"),
        _ => format!("{} days", hours / 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_days_and_hours() {
        let check = |hours: i64, words: &str| assert_eq!(left(Some(hours * HOUR + 1), 0), words);
        check(0, "less than an hour");
        check(1, "an hour");
        check(47, "47 hours");
        check(71, "2 days");
        assert_eq!(left(Some(0), 5), "less than an hour");
    }
}
