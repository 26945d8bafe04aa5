"""The comparison with the field: other learners of small trees, on the same rows, one thread each."""
