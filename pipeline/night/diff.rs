//! placeholder
use super::fault::NightFault;
use crate::config::Settings;
pub(super) fn text(_settings: &Settings, _numbers: (u64, u64)) -> Result<String, NightFault> {
    Err(NightFault::NoSuch("later".to_owned()))
}
