"""`python -m benchmarks.gateway`: measure and print the tables."""

from __future__ import annotations

import argparse

from benchmarks.gateway.report import section

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="the gateway beside a bare pass-through")
    parser.add_argument("--quick", action="store_true")
    print(section(quick=parser.parse_args().quick).markdown())
