"""``python -m imbcore`` is the ``imbcore`` command."""

from imbcore._cli import main

if __name__ == "__main__":
    main()
