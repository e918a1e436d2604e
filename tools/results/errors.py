"""The ways in which a command can end early."""


class Fault(Exception):
    """Something is wrong; the message says where, what, and what to do."""

    def __init__(self, message: str, place: str = "", remedy: str = ""):
        super().__init__(f"{place or 'course'}: error: {message}" +
                         (f"\n  {remedy}" if remedy else ""))


class Usage(Exception):
    """The command line is wrong; exit status 2."""


class Skip(Exception):
    """It cannot run on this machine; the message is the reason."""


class Interrupted(Exception):
    """Someone wants to stop; what is done is kept."""
