"""``python -m heirwood`` is the command line."""

from heirwood.cli import main

if __name__ == "__main__":
    main(prog_name="heirwood")
