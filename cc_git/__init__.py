"""cc-git: the Git-native continuity tool for agents."""

__version__ = "0.1.0"
