"""The commands of the reproduction, one part a file; nothing heavy is imported before a part needs it."""
