//! A week of nights over the seasons that ship, told: what each run said, what the lake and the pages show, and the mails
//! that cron would send. `make story` prints it.
