"""The command line: one module a command.

A command reads files, asks the library, and shows what it said; it decides nothing
about a call itself. Data goes to standard output, everything for a person to
standard error. Exit codes: 0 done, 1 refused (or found what `--fail-on` names),
2 misuse: a wrong option, a file that cannot be read, a schema that is none.

    main       the entry point: missing extra, encoding, exit codes
    app        the table of commands, loaded when used
    source     files and standard input → text, lines, schemas, tools
    terminal   consoles, and text of unknown origin made safe to show
    marks      a text with spans marked under its lines
    tally      what `check` counts
"""
