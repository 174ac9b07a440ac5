"""One file a command, or a family of commands; `cc_git.cli.verbs` lists them."""
