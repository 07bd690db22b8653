//! What a player decides: a checker play, or one of four cube actions (`metrics.md` 1.8).
//!
//! A redouble is a double and a beaver is a take; nothing here says so, the readers do.

/// A cube action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CubeAction {
    /// A player who could double rolled.
    NoDouble,
    /// Offered.
    Double,
    /// Accepted.
    Take,
    /// Refused.
    Pass,
}

/// The kind of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A checker play, dances included.
    Checker,
    /// A cube action.
    Cube(CubeAction),
}

/// The two natures that families, themes and pace tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nature {
    /// Checker plays.
    Checker,
    /// All four cube actions.
    Cube,
}

impl Kind {
    /// All five.
    pub const ALL: [Self; 5] = [
        Self::Checker,
        Self::Cube(CubeAction::NoDouble),
        Self::Cube(CubeAction::Double),
        Self::Cube(CubeAction::Take),
        Self::Cube(CubeAction::Pass),
    ];

    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Checker => "checker",
            Self::Cube(CubeAction::NoDouble) => "no_double",
            Self::Cube(CubeAction::Double) => "double",
            Self::Cube(CubeAction::Take) => "take",
            Self::Cube(CubeAction::Pass) => "pass",
        }
    }

    /// Reads [`Kind::token`].
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.token() == token)
    }

    /// Checker play or cube action.
    #[must_use]
    pub const fn nature(self) -> Nature {
        match self {
            Self::Checker => Nature::Checker,
            Self::Cube(_) => Nature::Cube,
        }
    }
}

impl Nature {
    /// The stored token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Checker => "checker",
            Self::Cube => "cube",
        }
    }
}
