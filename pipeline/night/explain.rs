//! placeholder
use super::fault::NightFault;
use crate::config::Settings;
pub(super) fn text(_settings: &Settings, _what: &str, _season: Option<&str>) -> Result<String, NightFault> {
    Err(NightFault::NoSuch("later".to_owned()))
}
