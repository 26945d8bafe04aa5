"""What several parts of the laboratory need."""
