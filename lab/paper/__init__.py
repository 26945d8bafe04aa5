"""The paper, reproduced: what it prints beside what this software counts and measures."""
