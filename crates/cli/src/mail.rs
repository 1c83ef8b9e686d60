//! `rookery mail`: looking whether mails arrive.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Subcommand;
use server::world::World;

use crate::config::Options;
use crate::{block_on, print_line};

/// What can be done about mail.
#[derive(Debug, Subcommand)]
pub(crate) enum MailCommand {
    /// Send a test mail with the settings in force, and say what the mail server said
    Test {
        /// Where to
        address: String,
        #[command(flatten)]
        options: Box<Options>,
    },
}

pub(crate) fn mail(command: &MailCommand) -> anyhow::Result<ExitCode> {
    let MailCommand::Test { address, options } = command;
    let config = options.resolve()?.mail;
    block_on(async {
        server::mail::send_test(&config, address, "Rookery", &World::real())
            .await
            .with_context(|| format!("{}:{} ({})", config.server, config.port, config.tls.as_str()))
    })?;
    print_line(&format!("the mail server took it; look into the mailbox of {address}"))
}
