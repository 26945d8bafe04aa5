"""The journal: a run's events as JSON lines, written as they come, read from an offset, replayed."""

from heirwood.journal.event_check import VERSION
from heirwood.journal.reader import Reading, read, replay, story, torn_tail
from heirwood.journal.writer import JournalWarning, JournalWriter, to_line

__all__ = ["VERSION", "JournalWarning", "JournalWriter", "Reading", "read", "replay", "story", "to_line", "torn_tail"]
