"""`python -m argwright` is the same as `argwright`."""

from argwright.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
