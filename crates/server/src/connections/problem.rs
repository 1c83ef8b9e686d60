//! What stands in the way of a connection, as a word that is stored and a sentence for its owner.

use super::client::Trouble;

/// Why a proof or a visit did not work out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionProblem {
    /// The code is not in the profile.
    NoCode,
    /// The site knows nobody of this name.
    UnknownName,
    /// The site does not accept the key.
    BadToken,
    /// The key belongs to another account.
    OtherToken,
    /// Another member has proven that the account is theirs.
    Taken,
    /// The site has had enough of us for now.
    Busy,
    /// The site cannot be reached.
    Away,
    /// The site has trouble of its own.
    Failing,
    /// The site sent us to another host.
    Elsewhere,
    /// The site's answer made no sense.
    Garbled,
}

impl ConnectionProblem {
    const ALL: [ConnectionProblem; 10] = {
        use ConnectionProblem as P;
        [
            P::NoCode,
            P::UnknownName,
            P::BadToken,
            P::OtherToken,
            P::Taken,
            P::Busy,
            P::Away,
            P::Failing,
            P::Elsewhere,
            P::Garbled,
        ]
    };

    /// The word for it.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            ConnectionProblem::NoCode => "no_code",
            ConnectionProblem::UnknownName => "unknown_name",
            ConnectionProblem::BadToken => "bad_token",
            ConnectionProblem::OtherToken => "other_token",
            ConnectionProblem::Taken => "taken",
            ConnectionProblem::Busy => "busy",
            ConnectionProblem::Away => "away",
            ConnectionProblem::Failing => "failing",
            ConnectionProblem::Elsewhere => "elsewhere",
            ConnectionProblem::Garbled => "garbled",
        }
    }

    pub(super) fn parse(code: &str) -> Option<ConnectionProblem> {
        ConnectionProblem::ALL.into_iter().find(|problem| problem.code() == code)
    }

    /// The sentence for it.
    pub(super) const fn sentence(self) -> &'static str {
        match self {
            ConnectionProblem::NoCode => {
                "the code is not in the profile yet; some sites show a change only after hours, and it is looked for again"
            }
            ConnectionProblem::UnknownName => "the site knows nobody of this name",
            ConnectionProblem::BadToken => {
                "the site does not accept this token; make a new one there"
            }
            ConnectionProblem::OtherToken => "this token belongs to another account of the site",
            ConnectionProblem::Taken => {
                "this account is connected with another member of the club; they have to disconnect it first"
            }
            ConnectionProblem::Busy => "the site asked us to wait; it goes on by itself",
            ConnectionProblem::Away => {
                "the site cannot be reached, perhaps because this club has no way to the internet; it is tried again by itself"
            }
            ConnectionProblem::Failing => {
                "the site has trouble of its own; it is tried again by itself"
            }
            ConnectionProblem::Elsewhere => {
                "the site sent us to another address, where we do not go; the club's owner has to look at the settings"
            }
            ConnectionProblem::Garbled => {
                "the site's answer made no sense; it is tried again by itself"
            }
        }
    }
}

impl From<&Trouble> for ConnectionProblem {
    fn from(trouble: &Trouble) -> ConnectionProblem {
        match trouble {
            Trouble::Busy { .. } => ConnectionProblem::Busy,
            Trouble::Away(_) => ConnectionProblem::Away,
            Trouble::Failing(_) => ConnectionProblem::Failing,
            Trouble::Unknown => ConnectionProblem::UnknownName,
            Trouble::Denied => ConnectionProblem::BadToken,
            Trouble::Elsewhere(_) => ConnectionProblem::Elsewhere,
            Trouble::Garbled(_) => ConnectionProblem::Garbled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_found_again_by_its_word() {
        for problem in ConnectionProblem::ALL {
            assert_eq!(ConnectionProblem::parse(problem.code()), Some(problem));
            assert!(problem.sentence().len() > 20);
        }
        assert_eq!(ConnectionProblem::parse(""), None);
    }
}
