"""A finished tree in other people's words: text, pictures, rules, files. Each is loaded when it is asked for."""
