//! The program as cron and people run it, over folders as people have them.
