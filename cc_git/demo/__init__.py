"""The five-minute story of the README, played with real Git repositories in a throw-away folder."""
