"""The command line. click and rich live only here."""
