//! What mails say: one paragraph, perhaps a link, in plain text and in HTML.

/// What a mail is about. `name` is the user name of whom it is for; links are whole addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailKind {
    /// The first mail after a sign-up.
    Activation {
        /// Whom it is for.
        name: String,
        /// The link that activates the account.
        url: String,
    },
    /// Somebody tried to sign up with an address that has an account already.
    SignUpWithKnownAddress {
        /// Whose address it is.
        name: String,
        /// Where to log in.
        url: String,
    },
    /// The password was forgotten.
    PasswordReset {
        /// Whom it is for.
        name: String,
        /// The link that lets them choose a new one.
        url: String,
    },
    /// To the new address, before it counts.
    EmailChange {
        /// Whom it is for.
        name: String,
        /// The link that confirms it.
        url: String,
    },
    /// To the old address, after the change.
    EmailChanged {
        /// Whom it is for.
        name: String,
    },
    /// The password was changed.
    PasswordChanged {
        /// Whom it is for.
        name: String,
    },
    /// The second step at log-in was turned on or off.
    SecondFactorChanged {
        /// Whom it is for.
        name: String,
        /// Whether it is on now.
        on: bool,
    },
    /// The account is gone.
    AccountDeleted {
        /// Whose it was.
        name: String,
    },
    /// To an administrator: the calendar of the machine has jumped.
    CalendarJumped {
        /// Whom it is for.
        name: String,
        /// How far it is ahead of the server's time, in minutes; negative if it is behind.
        ahead: i64,
        /// Where to say that it is right.
        url: String,
    },
    /// Something waits for a player who asked to be told.
    Reminder(ReminderMail),
    /// To see whether mails arrive.
    Test,
}

/// A mail that its reader has asked for and can do without again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReminderMail {
    /// Whom it is for.
    pub name: String,
    /// What it is about.
    pub subject: String,
    /// What it says first.
    pub text: String,
    /// What it lists: a line and the address it leads to.
    pub lines: Vec<(String, String)>,
    /// The address of the page where one can do something about it, with its label.
    pub link: (&'static str, String),
    /// Where to choose what mails come.
    pub choose: String,
    /// The page where to say that none should come.
    pub unsubscribe: String,
    /// Where the reader's mail program says so at a click of its own (RFC 8058).
    pub one_click: String,
}

/// A mail's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) subject: String,
    pub(super) plain: String,
    pub(super) html: String,
}

/// What was not asked for is said in the same words everywhere.
const NOT_YOU: &str =
    "If this was not you, nothing happens without the link: you need not do anything.";
const ALARM: &str =
    "If this was not you, reset your password at once and tell your club's administrator.";

/// Writes a mail in the name of a club.
pub(super) fn write(kind: &MailKind, club: &str) -> Letter {
    let club = one_line(club);
    if let MailKind::Reminder(reminder) = kind {
        return write_reminder(reminder, &club);
    }
    let (subject, name, text, link, end) = words(kind, &club);
    let hello = name.map_or("Hello,".to_owned(), |name| format!("Hello {},", one_line(name)));
    let mut plain = vec![hello.clone(), text.clone()];
    let mut html = vec![escape(&hello), escape(&text)];
    if let Some((label, url)) = link {
        plain.push(url.to_owned());
        let url = escape(url);
        html.push(format!("<a href=\"{url}\">{label}</a>"));
        html.push(format!("Or copy this address into your browser:<br>{url}"));
    }
    let last = [end.to_owned(), club.clone()];
    plain.extend(last.iter().filter(|text| !text.is_empty()).cloned());
    html.extend(last.iter().filter(|text| !text.is_empty()).map(|text| escape(text)));
    finish(subject, &club, &plain, &html)
}

fn finish(subject: &str, club: &str, plain: &[String], html: &[String]) -> Letter {
    Letter {
        subject: format!("{subject} – {club}"),
        plain: format!("{}\n", plain.join("\n\n")),
        html: format!(
            "<!doctype html>\n<html lang=\"en\"><body style=\"font-family:sans-serif;line-height:1.5\">\n<p>{}</p>\n</body></html>\n",
            html.join("</p>\n<p>")
        ),
    }
}

/// A reminder: a sentence, perhaps a list, a link, and how to get no more of them.
fn write_reminder(reminder: &ReminderMail, club: &str) -> Letter {
    let hello = format!("Hello {},", one_line(&reminder.name));
    let text = one_line(&reminder.text);
    let mut plain = vec![hello.clone(), text.clone()];
    let mut html = vec![escape(&hello), escape(&text)];
    let lines = || reminder.lines.iter().map(|(line, url)| (one_line(line), url));
    if !reminder.lines.is_empty() {
        let texts: Vec<String> = lines().map(|(line, url)| format!("- {line}\n  {url}")).collect();
        plain.push(texts.join("\n"));
        let marked =
            lines().map(|(line, url)| format!("<a href=\"{}\">{}</a>", escape(url), escape(&line)));
        html.push(marked.collect::<Vec<_>>().join("<br>\n"));
    }
    let (label, url) = &reminder.link;
    plain.push(format!("{label}:\n{url}"));
    html.push(format!("<a href=\"{}\">{label}</a>", escape(url)));
    plain.push(club.to_owned());
    html.push(escape(club));
    let (choose, stop) = (&reminder.choose, &reminder.unsubscribe);
    plain.push(format!(
        "You asked for this mail. Choose what comes: {choose}\nNo more of these mails: {stop}"
    ));
    html.push(format!(
        "<small>You asked for this mail. <a href=\"{}\">Choose what comes</a> · <a href=\"{}\">No more of these mails</a></small>",
        escape(choose),
        escape(stop)
    ));
    finish(&one_line(&reminder.subject), club, &plain, &html)
}

/// Subject, whom to greet, the paragraph, the link with its label, the last words.
type Words<'k> =
    (&'static str, Option<&'k str>, String, Option<(&'static str, &'k str)>, &'static str);

fn words<'k>(kind: &'k MailKind, club: &str) -> Words<'k> {
    match kind {
        MailKind::Activation { name, url } => (
            "Activate your account",
            Some(name),
            format!("welcome to {club}. Follow this link within one hour to activate your account."),
            Some(("Activate my account", url)),
            NOT_YOU,
        ),
        MailKind::SignUpWithKnownAddress { name, url } => (
            "You have an account already",
            Some(name),
            format!("somebody, probably you, wanted to sign up at {club} with this address, which belongs to your account already. Log in with your user name or this address; the page also helps if the password is forgotten."),
            Some(("Log in", url)),
            NOT_YOU,
        ),
        MailKind::PasswordReset { name, url } => (
            "Choose a new password",
            Some(name),
            "follow this link within one hour to choose a new password. It works once.".to_owned(),
            Some(("Choose a new password", url)),
            NOT_YOU,
        ),
        MailKind::EmailChange { name, url } => (
            "Confirm your new address",
            Some(name),
            format!("follow this link within one hour, and {club} will write to this address from now on."),
            Some(("Confirm this address", url)),
            NOT_YOU,
        ),
        MailKind::EmailChanged { name } => (
            "Your address was changed",
            Some(name),
            format!("{club} will write to another address from now on."),
            None,
            ALARM,
        ),
        MailKind::PasswordChanged { name } => (
            "Your password was changed",
            Some(name),
            "your password was changed, and all other devices were signed out.".to_owned(),
            None,
            ALARM,
        ),
        MailKind::SecondFactorChanged { name, on } => (
            if *on { "Second step at log-in turned on" } else { "Second step at log-in turned off" },
            Some(name),
            if *on {
                "from now on a log-in asks for a code of your app. Keep the recovery codes in a safe place.".to_owned()
            } else {
                "from now on your password alone is enough to log in.".to_owned()
            },
            None,
            ALARM,
        ),
        MailKind::AccountDeleted { name } => (
            "Your account was deleted",
            Some(name),
            "your account and what we knew about you are gone. Games you played stay, without your name.".to_owned(),
            None,
            "",
        ),
        MailKind::CalendarJumped { name, ahead, url } => (
            "The calendar of the server has jumped",
            Some(name),
            format!("the calendar of the machine that {club} runs on is {} minutes {} the time that has passed. No flag of a game of days falls until it is back, or until an administrator says that it is right. The server goes by its own time as long as it runs: restart it when convenient, and it takes over the calendar; nobody pays for the difference.", ahead.abs(), if *ahead > 0 { "ahead of" } else { "behind" }),
            Some(("Look at the club", url)),
            "",
        ),
        MailKind::Test | MailKind::Reminder(_) => (
            "It works",
            None,
            format!("this is the test you asked for: mails of {club} arrive."),
            None,
            "",
        ),
    }
}

/// A name in a header or a sentence is one line, whatever somebody typed.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_says_the_same_in_both_forms() {
        let kind = MailKind::PasswordReset {
            name: "ann".to_owned(),
            url: "https://club.example/reset#abc".to_owned(),
        };
        let letter = write(&kind, "Rook End");
        assert_eq!(letter.subject, "Choose a new password – Rook End");
        for text in [&letter.plain, &letter.html] {
            assert!(
                text.contains("Hello ann,") && text.contains("https://club.example/reset#abc"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_reminder_says_how_to_get_no_more_and_escapes_what_people_wrote() {
        let reminder = ReminderMail {
            name: "ann".to_owned(),
            subject: "Your move\r\nBcc: eve@example.org".to_owned(),
            text: "bert has moved.".to_owned(),
            lines: vec![("against <b>bert</b>".to_owned(), "https://club.example/abc".to_owned())],
            link: ("Open the game", "https://club.example/abc".to_owned()),
            choose: "https://club.example/account/preferences".to_owned(),
            unsubscribe: "https://club.example/unsubscribe#x".to_owned(),
            one_click: "https://club.example/api/v1/unsubscribe/x".to_owned(),
        };
        let letter = write(&MailKind::Reminder(reminder), "Rook End");
        assert!(!letter.subject.contains(['\r', '\n']), "{:?}", letter.subject);
        assert!(!letter.html.contains("<b>"), "{}", letter.html);
        for text in [&letter.plain, &letter.html] {
            assert!(text.contains("https://club.example/unsubscribe#x"), "{text}");
            assert!(text.contains("bert has moved."), "{text}");
        }
    }

    #[test]
    fn names_cannot_break_out_of_a_header_or_into_the_html() {
        let name = "<script>alert(1)</script>\r\nBcc: eve@example.org".to_owned();
        let letter = write(
            &MailKind::PasswordChanged { name },
            "Club\r\nBcc: eve@example.org\r\n<img src=x>",
        );
        assert!(!letter.subject.contains(['\r', '\n']), "{:?}", letter.subject);
        assert!(
            !letter.html.contains("<script") && !letter.html.contains("<img"),
            "{}",
            letter.html
        );
        assert!(!letter.plain.contains("\nBcc"), "{}", letter.plain);
    }
}
