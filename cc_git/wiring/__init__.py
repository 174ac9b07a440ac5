"""Where the rules meet the store: one session a command, and one function for what a command does."""
