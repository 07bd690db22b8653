//! Files as large as a reader takes, of what costs it most: time grows with the bytes, memory stays within its bound.

use super::spoilt::{Came, Fixture, Reader};
use super::{MOST_KB, watch, xg_container};
use std::time::Instant;

/// The largest text that is read.
const LARGEST: usize = 64 << 20;

/// Meets every giant; whether all ended as they must.
pub fn all() -> bool {
    println!("{:<34} {:>9} {:>10} {:>10} {:>10}", "giant", "MB", "came", "s", "peak MB");
    let mut sound = true;
    for (name, reader, head, piece) in [
        (
            "nodes of an .sgf",
            Reader::Sgf,
            "(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]PW[A]PB[B]",
            ";B[31abcd];W[dance]",
        ),
        ("games of an .sgf", Reader::Sgf, "", "(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0];B[31fegf])"),
        ("analyses of an .sgf", Reader::Sgf, "(;FF[4]GM[6]MI[length:7];B[31fegf]", "A[0][abcd E ver 3 2C 0 0 0 0 0 0]"),
        ("parentheses of an .sgf", Reader::Sgf, "(;FF[4]GM[6]MI[length:7];B[31fegf]", "(;W[21])"),
        (
            "rows of a .mat",
            Reader::Mat,
            "7 point match\n\n Game 1\n A : 0    B : 0\n",
            "  1) 31: 8/5 6/5   21: 13/11\n",
        ),
        ("games of a .mat", Reader::Mat, "7 point match\n\n", " Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5\n"),
        ("comments of a .mat", Reader::Mat, "", "; [Event \"x\"]\n"),
        ("lines of a study log", Reader::StudyLog, "date,position\n", "2026-01-05,x\n"),
        ("entries of a study log", Reader::StudyLog, "date,match,game,move\n", "2026-01-05,x,1,1\n"),
        ("columns of a study log", Reader::StudyLog, "date,position\n", "1,"),
        (
            "lines of JSON",
            Reader::StudyLog,
            "{\"date\":\"2026-01-05\",\"match\":\"x\",\"game\":1,\"move\":1}\n",
            "{}\n",
        ),
        ("places", Reader::Places, "player,place\n", "a,1\n"),
    ] {
        let mut bytes = head.as_bytes().to_vec();
        while bytes.len() + piece.len() <= LARGEST {
            bytes.extend_from_slice(piece.as_bytes());
        }
        sound &= giant(name, reader, &bytes);
    }
    let bomb = xg_container::stored(&[("temp.xg", vec![0; 60 << 20])]);
    sound &= giant("zeros in an .xg", Reader::Xg, &bomb);
    sound
}

fn giant(name: &str, reader: Reader, bytes: &[u8]) -> bool {
    let fixture = Fixture::new(name.to_owned(), reader, Vec::new());
    let base = watch::peak_from_now();
    let began = Instant::now();
    let came = fixture.meet(bytes);
    let (seconds, peak) = (began.elapsed().as_secs_f64(), watch::peak().saturating_sub(base));
    println!("{name:<34} {:>9} {came:>10?} {seconds:>10.2} {:>10}", bytes.len() >> 20, peak / 1000);
    came != Came::Panicked && peak <= MOST_KB
}
