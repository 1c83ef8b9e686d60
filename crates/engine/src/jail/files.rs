//! Files: Landlock shows an engine its own program, the system's libraries, and what its owner has named.

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, Scope, make_bitflags,
    path_beneath_rules,
};

use super::Inmate;

/// Where programs find what they are linked with.
const LIBRARIES: [&str; 6] =
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];

/// Reading, and running what is read: the loader of a program is run too.
const USE: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile | ReadDir | Execute});

/// Locks all other files away, and connections and signals where the kernel can.
pub(super) fn lock(inmate: &Inmate) -> Result<(), RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V5))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?
        .add_rules(path_beneath_rules(LIBRARIES, USE))?
        .add_rules(path_beneath_rules([&inmate.program], USE))?
        .add_rules(path_beneath_rules(&inmate.files, USE))?
        .restrict_self()?;
    Ok(())
}

/// Whether the kernel can.
pub(super) fn is_possible() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}
