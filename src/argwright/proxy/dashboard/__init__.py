"""The page at `/_argwright/`: what the models get wrong, for a person to see.

One HTML page, its scripts and its style, served as they lie in the package: no build step, nothing from elsewhere. A
content security policy lets nothing run but these files, and the scripts put what a model wrote into the page as text
only. The page asks for JSON under `/_argwright/api/`; who may look is the business of `access`.

    placing     where in a text a pointer leads
    marking     a text and its repairs → pieces, each with the marks on it
    comparing   arguments before and after → rows, field by field
    showing     a call → everything that the page shows of it, as text
    asking      a query string → what is asked of the journal
    assets      the files
    routes      the handlers, and where they stand
"""

from argwright.proxy.dashboard.routes import Sources, setup

__all__ = ["Sources", "setup"]
