"""``python -m surefoot``: the same as the ``surefoot`` command."""

from surefoot.cli.entry import main

if __name__ == "__main__":
    main()
