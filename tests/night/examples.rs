//! What people copy: the crontab line and the systemd units say what the program and systemd understand.

use super::{Place, of_checkout, tool};
use crate::support::made::{XG, made};
use crate::support::xg_writer;
use std::process::Command;

fn example(name: &str) -> String {
    std::fs::read_to_string(of_checkout("data/examples").join(name)).unwrap()
}

/// The words after the program's own name.
fn typed(line: &str) -> Vec<&str> {
    line.split_once("/usr/local/bin/portes ").unwrap().1.split_whitespace().collect()
}

#[test]
fn the_command_that_cron_and_systemd_call_runs_silently() {
    let (crontab, service) = (example("crontab"), example("portes.service"));
    let line = crontab.lines().find(|line| !line.starts_with('#')).unwrap();
    let fields: Vec<&str> = line.splitn(6, ' ').collect();
    for (field, most) in fields.iter().zip([59, 23, 31, 12, 7]) {
        assert!(*field == "*" || field.parse::<u32>().unwrap() <= most, "{line}");
    }
    assert!(fields[5].starts_with("cd /srv/backgammon && "), "{line}");
    let start = service.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    assert_eq!(typed(line), typed(start), "one command");
    let place = Place::new();
    place.put("2026/cup/a.xg", xg_writer::write(&made(1, XG)));
    let ran = place.portes(&typed(line));
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    assert!(place.reports().join("2026/index.html").exists());
}

/// What the service may write is what the program writes.
#[test]
fn systemd_finds_no_fault_in_the_units() {
    let Some(analyze) = tool("systemd-analyze") else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["portes.service", "portes.timer"] {
        let unit = example(name).replace("/usr/local/bin/portes", super::PORTES);
        std::fs::write(folder.path().join(name), unit).unwrap();
    }
    let verify = |name: &str| {
        let output = Command::new(&analyze).arg("verify").arg(folder.path().join(name)).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for name in ["portes.service", "portes.timer"] {
        let (sound, said) = verify(name);
        let ours: Vec<&str> = said.lines().filter(|line| line.contains("portes.")).collect();
        assert!(sound && ours.is_empty(), "{name}: {said}");
    }
    let broken = example("portes.timer").replace("03:40", "25:99");
    std::fs::write(folder.path().join("portes.timer"), broken).unwrap();
    let (_, said) = verify("portes.timer");
    assert!(said.contains("portes.timer"), "a wrong unit is told: {said}");
}
