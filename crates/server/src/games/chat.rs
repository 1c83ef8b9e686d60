//! Talk at a board: two rooms, a flood limit, and the house's rule about it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rules::{Color, UnixMillis};
use store::{AccountId, ChatLine, ChatRoom};

use crate::config::ChatPolicy;

/// The longest line.
const LONGEST: usize = 300;
/// Lines one person may say within [`WINDOW`].
const MOST: usize = 6;
/// Lines that may be said among the watchers within [`WINDOW`], by all of them: a crowd must not hold up the game.
const MOST_OF_WATCHERS: usize = 20;
const WINDOW: i64 = 10_000;

/// What can be said where only presets are allowed: the words themselves, so that every client shows the same.
pub const PRESETS: [&str; 7] =
    ["Hello", "Good luck", "Have fun!", "Good game", "Thank you", "I have to go, bye!", "Sorry"];

/// The policy in force; an administrator may change it while games run. Cheap to clone.
#[derive(Clone, Default)]
pub struct ChatRule(Arc<AtomicU8>);

impl ChatRule {
    /// Changes it.
    pub fn set(&self, policy: ChatPolicy) {
        let number = match policy {
            ChatPolicy::All => 0,
            ChatPolicy::Presets => 1,
            ChatPolicy::Off => 2,
        };
        self.0.store(number, Ordering::Relaxed);
    }

    /// Reads it.
    pub fn get(&self) -> ChatPolicy {
        match self.0.load(Ordering::Relaxed) {
            0 => ChatPolicy::All,
            1 => ChatPolicy::Presets,
            _ => ChatPolicy::Off,
        }
    }
}

/// Why something was not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChatRefusal {
    /// The house does not want it.
    #[error("there is no chat here")]
    Off,
    /// Only presets.
    #[error("only the ready-made sentences can be said here")]
    NotAPreset,
    /// Nothing or too much.
    #[error("a line has 1 to {LONGEST} characters")]
    Length,
    /// Too fast.
    #[error("you are talking too fast; wait some seconds")]
    Flood,
    /// Too many at once.
    #[error("too many are talking here at once; wait some seconds")]
    Crowd,
    /// A watcher in the players' room, or a player in the watchers' room of a running game.
    #[error("this room is not for you")]
    NotYourRoom,
}

impl ChatRefusal {
    /// The reason for programs.
    pub fn code(self) -> &'static str {
        match self {
            ChatRefusal::Off => "chat_off",
            ChatRefusal::NotAPreset => "chat_presets_only",
            ChatRefusal::Length => "chat_length",
            ChatRefusal::Flood => "chat_flood",
            ChatRefusal::Crowd => "chat_crowd",
            ChatRefusal::NotYourRoom => "chat_not_your_room",
        }
    }
}

/// The talk at one board.
#[derive(Default)]
pub(crate) struct Talk {
    /// The last lines, once they were read from the store.
    pub(crate) lines: Option<Vec<ChatLine>>,
    /// When everybody spoke last.
    spoken: HashMap<AccountId, Vec<UnixMillis>>,
    /// When the watchers spoke last.
    by_watchers: Vec<UnixMillis>,
}

impl Talk {
    /// Judges a line. Gives its text, without control characters and outer space.
    pub(crate) fn judge(
        &mut self,
        policy: ChatPolicy,
        by: AccountId,
        room: ChatRoom,
        text: &str,
        now: UnixMillis,
    ) -> Result<String, ChatRefusal> {
        let text: String = text.chars().filter(|c| !is_invisible(*c)).collect();
        let text = text.trim();
        match policy {
            ChatPolicy::Off => return Err(ChatRefusal::Off),
            ChatPolicy::Presets if !PRESETS.contains(&text) => return Err(ChatRefusal::NotAPreset),
            _ if text.is_empty() || text.chars().count() > LONGEST => {
                return Err(ChatRefusal::Length);
            }
            _ => {}
        }
        let spoken = self.spoken.entry(by).or_default();
        spoken.retain(|at| now.0 - at.0 < WINDOW);
        if spoken.len() >= MOST {
            return Err(ChatRefusal::Flood);
        }
        if room == ChatRoom::Watchers {
            self.by_watchers.retain(|at| now.0 - at.0 < WINDOW);
            if self.by_watchers.len() >= MOST_OF_WATCHERS {
                return Err(ChatRefusal::Crowd);
            }
            self.by_watchers.push(now);
        }
        spoken.push(now);
        Ok(text.to_owned())
    }

    /// Keeps a line, and of its room the last `most`: those of the other room are not pushed out by it.
    pub(crate) fn keep(&mut self, line: ChatLine, most: usize) {
        let lines = self.lines.get_or_insert_default();
        let same = |other: &ChatLine| other.room == line.room;
        if lines.iter().filter(|other| same(other)).count() >= most
            && let Some(oldest) = lines.iter().position(same)
        {
            lines.remove(oldest);
        }
        lines.push(line);
    }
}

/// Control characters, and those that turn the direction of the text around them.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether somebody hears a room: players their own until the end and both afterwards, watchers theirs.
pub(crate) fn hears(side: Option<Color>, is_over: bool, room: ChatRoom) -> bool {
    match room {
        ChatRoom::Players => side.is_some(),
        ChatRoom::Watchers => side.is_none() || is_over,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(
        talk: &mut Talk,
        policy: ChatPolicy,
        text: &str,
        at: i64,
    ) -> Result<String, ChatRefusal> {
        talk.judge(policy, AccountId::from_bits(1), ChatRoom::Players, text, UnixMillis(at))
    }

    #[test]
    fn a_crowd_of_watchers_is_stopped_and_the_players_talk_on() {
        let mut talk = Talk::default();
        let watch = |talk: &mut Talk, who| {
            let by = AccountId::from_bits(who);
            talk.judge(ChatPolicy::All, by, ChatRoom::Watchers, "hi", UnixMillis(0))
        };
        for who in 10..30 {
            assert!(watch(&mut talk, who).is_ok(), "{who}");
        }
        assert_eq!(watch(&mut talk, 30), Err(ChatRefusal::Crowd));
        assert!(say(&mut talk, ChatPolicy::All, "hi", 0).is_ok());
    }

    #[test]
    fn watchers_do_not_push_out_what_the_players_said() {
        let mut talk = Talk::default();
        let kind = store::AccountKind::Guest;
        let by = store::Account { id: AccountId::from_bits(1), kind, name: "guest".to_owned() };
        for number in 1..=10 {
            let room = if number == 1 { ChatRoom::Players } else { ChatRoom::Watchers };
            let at = UnixMillis(number);
            talk.keep(ChatLine { number, room, by: by.clone(), text: "hi".to_owned(), at }, 3);
        }
        let kept: Vec<i64> = talk.lines.iter().flatten().map(|line| line.number).collect();
        assert_eq!(kept, [1, 8, 9, 10]);
    }

    #[test]
    fn a_line_loses_what_nobody_should_see() {
        let mut talk = Talk::default();
        let said = say(&mut talk, ChatPolicy::All, " good\u{202e} luck\n\u{0} ", 0);
        assert_eq!(said.as_deref(), Ok("good luck"));
        assert_eq!(say(&mut talk, ChatPolicy::All, "\u{200b}", 0), Err(ChatRefusal::Length));
        assert_eq!(say(&mut talk, ChatPolicy::All, &"x".repeat(301), 0), Err(ChatRefusal::Length));
    }

    #[test]
    fn a_flood_is_stopped_and_forgiven() {
        let mut talk = Talk::default();
        for n in 0..6 {
            assert!(say(&mut talk, ChatPolicy::All, "hi", n).is_ok());
        }
        assert_eq!(say(&mut talk, ChatPolicy::All, "hi", 100), Err(ChatRefusal::Flood));
        assert!(say(&mut talk, ChatPolicy::All, "hi", 20_000).is_ok());
    }

    #[test]
    fn the_house_decides_what_is_said() {
        let mut talk = Talk::default();
        assert!(say(&mut talk, ChatPolicy::Presets, "Good game", 0).is_ok());
        assert_eq!(say(&mut talk, ChatPolicy::Presets, "what?", 0), Err(ChatRefusal::NotAPreset));
        assert_eq!(say(&mut talk, ChatPolicy::Off, "Good game", 0), Err(ChatRefusal::Off));
    }

    #[test]
    fn players_hear_the_watchers_only_after_the_end() {
        let white = Some(Color::White);
        assert!(hears(white, false, ChatRoom::Players) && !hears(white, false, ChatRoom::Watchers));
        assert!(hears(white, true, ChatRoom::Watchers));
        assert!(hears(None, false, ChatRoom::Watchers) && !hears(None, true, ChatRoom::Players));
    }
}
