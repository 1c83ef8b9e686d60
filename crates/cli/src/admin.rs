//! `rookery admin`: accounts and roles from the machine itself, for the first administrator and for when nobody can log in.
//!
//! It works on the data beside a running server: the database orders the writes, and the server looks who was signed out.

use std::fs::File;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use server::accounts::{check_name, hash_password};
use server::administration::one_time_password;
use server::mail::is_address;
use server::world::World;
use store::{
    AccountId, MadeAccount, Member, MemberQuery, NewPlayer, PasswordChange, Player, PlayerState,
    Role, Store, StoreError, known_schema,
};

use crate::config::{Config, Options};
use crate::serve::{make_data_directory, try_lock};
use crate::{block_on, print_line};

/// What can be done about accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum AdminCommand {
    /// Make an account; prints a one-time password that has to be changed at the first log-in
    Create {
        /// The user name
        name: String,
        /// Its e-mail address
        #[arg(long)]
        email: Option<String>,
        /// A role to give at once: arbiter, director or administrator
        #[arg(long)]
        role: Option<Role>,
        #[command(flatten)]
        options: Box<Options>,
    },
    /// Give somebody a role: arbiter, director or administrator
    Grant(RoleArgs),
    /// Take a role from somebody; the last administrator stays
    Revoke(RoleArgs),
    /// Set and print a one-time password; signs the player out everywhere
    ResetPassword(WhoArgs),
    /// Sign somebody out everywhere; a running server closes their sockets within 5 seconds
    RevokeSessions(WhoArgs),
    /// List accounts by name
    List {
        /// Only those with this role
        #[arg(long)]
        role: Option<Role>,
        /// As JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        options: Box<Options>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct RoleArgs {
    /// User name or e-mail address
    name: String,
    /// The role
    role: Role,
    #[command(flatten)]
    options: Box<Options>,
}

#[derive(Debug, Args)]
pub(crate) struct WhoArgs {
    /// User name or e-mail address
    name: String,
    #[command(flatten)]
    options: Box<Options>,
}

pub(crate) fn admin(command: AdminCommand) -> anyhow::Result<ExitCode> {
    let options = match &command {
        AdminCommand::Create { options, .. } | AdminCommand::List { options, .. } => options,
        AdminCommand::Grant(args) | AdminCommand::Revoke(args) => &args.options,
        AdminCommand::ResetPassword(args) | AdminCommand::RevokeSessions(args) => &args.options,
    };
    let config = options.resolve()?;
    block_on(async move {
        let office = Office::open(config).await?;
        office.run(command).await
    })
}

/// The data, open for changes from the command line.
struct Office {
    store: Store,
    world: World,
    config: Config,
    /// Held while no server runs, so that none starts half-way.
    _lock: Option<File>,
}

impl Office {
    async fn open(config: Config) -> anyhow::Result<Office> {
        make_data_directory(&config.data)?;
        let lock = try_lock(&config.data)?;
        let place = config.place()?;
        if lock.is_none() && store::schema_of(&place).await? != known_schema() {
            bail!("a server of another version runs on this data; stop it first");
        }
        let store =
            Store::open(place, &config.backups()).await.context("the data cannot be opened")?;
        Ok(Office { store, world: World::real(), config, _lock: lock })
    }

    async fn run(&self, command: AdminCommand) -> anyhow::Result<ExitCode> {
        let now = self.world.time.now();
        match command {
            AdminCommand::Create { name, email, role, .. } => self.create(name, email, role).await,
            AdminCommand::Grant(RoleArgs { name, role, .. }) => {
                let player = self.find(&name).await?;
                self.store.grant_role(player.id, role, None, now).await?;
                print_line(&format!("{} is {} now", player.name, role.as_str()))
            }
            AdminCommand::Revoke(RoleArgs { name, role, .. }) => {
                let player = self.find(&name).await?;
                match self.store.revoke_role(player.id, role, None, now).await {
                    Err(StoreError::Conflict) => {
                        bail!(
                            "{} is the last administrator; make somebody else one first",
                            player.name
                        )
                    }
                    Err(StoreError::NotFound) => bail!("{} is no {}", player.name, role.as_str()),
                    other => other?,
                }
                print_line(&format!("{} is no longer {}", player.name, role.as_str()))
            }
            AdminCommand::ResetPassword(WhoArgs { name, .. }) => self.reset_password(&name).await,
            AdminCommand::RevokeSessions(WhoArgs { name, .. }) => {
                let player = self.find(&name).await?;
                self.store.revoke_sessions(player.id, None, now).await?;
                print_line(&format!("{} is signed out everywhere", player.name))
            }
            AdminCommand::List { role, json, .. } => self.list(role, json).await,
        }
    }

    async fn find(&self, name: &str) -> anyhow::Result<Player> {
        let found = self.store.find_player(name).await?;
        found.with_context(|| {
            format!("nobody is called {name:?}; `rookery admin list` shows who there is")
        })
    }

    async fn create(
        &self,
        name: String,
        email: Option<String>,
        role: Option<Role>,
    ) -> anyhow::Result<ExitCode> {
        check_name(&name)?;
        if let Some(email) = email.as_deref().filter(|email| !is_address(email)) {
            bail!("--email {email:?} is no e-mail address");
        }
        let (password, hash) = self.new_password().await?;
        let player = NewPlayer {
            name: name.clone(),
            email,
            password: Some(hash),
            must_change_password: true,
            state: PlayerState::Active,
            is_bot: false,
            group_name: None,
            initial_rating: self.config.accounts.initial_rating,
            preferences: "{}".to_owned(),
        };
        let id = AccountId::from_bits(self.world.chance.bits());
        let made = vec![MadeAccount { id, player, role, card: None }];
        match self.store.make_accounts(made, None, self.world.time.now()).await {
            Err(StoreError::Conflict) => bail!("this name or address is taken"),
            other => other?,
        }
        print_line(&format!("{name} can log in with the one-time password {password}"))
    }

    async fn reset_password(&self, name: &str) -> anyhow::Result<ExitCode> {
        let player = self.find(name).await?;
        let (password, hash) = self.new_password().await?;
        let change = PasswordChange {
            password: hash,
            must_change: true,
            keep: None,
            by_token: None,
            actor: None,
        };
        self.store.set_password(player.id, change, self.world.time.now()).await?;
        print_line(&format!("{} can log in with the one-time password {password}", player.name))
    }

    /// A one-time password and its hash.
    async fn new_password(&self) -> anyhow::Result<(String, String)> {
        let chance = self.world.chance.clone();
        let password = one_time_password(&chance);
        let hash = hash_password(&self.config.accounts, chance, &password).await?;
        Ok((password, hash))
    }

    async fn list(&self, role: Option<Role>, json: bool) -> anyhow::Result<ExitCode> {
        let mut query = MemberQuery { role, ..MemberQuery::default() };
        let mut all: Vec<Member> = Vec::new();
        loop {
            let (members, more) = self.store.list_members(&query).await?;
            all.extend(members);
            match all.last().filter(|_| more) {
                Some(last) => query.after.clone_from(&last.name),
                None => break,
            }
        }
        if json {
            let all: Vec<_> = all.iter().map(as_json).collect();
            return print_line(&serde_json::to_string_pretty(&all)?);
        }
        for member in &all {
            let state = member.state.as_str();
            print_line(&format!("{:<30} {state:<11} {}", member.name, roles(member).join(", ")))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn roles(member: &Member) -> Vec<&'static str> {
    let roles = member.roles;
    let named = [
        (Role::Arbiter, roles.arbiter),
        (Role::Director, roles.director),
        (Role::Administrator, roles.administrator),
    ];
    named.into_iter().filter(|(_, has)| *has).map(|(role, _)| role.as_str()).collect()
}

fn as_json(member: &Member) -> serde_json::Value {
    serde_json::json!({
        "id": member.id.as_str(),
        "name": member.name,
        "email": member.email,
        "state": member.state.as_str(),
        "roles": roles(member),
        "group": member.group,
        "totp": member.totp,
        "created_at": member.created_at.0,
        "last_login_at": member.last_login_at.map(|at| at.0),
    })
}
