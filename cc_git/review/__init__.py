"""Changes in meaning between two snapshots, and what is wrong with a proposal. Pure: both sides arrive as values."""
