"""The live class: `rooms` keeps what a class asks and answers in the `database`; `questions` checks and counts."""
