"""Describes what a program raised, as data that crosses from its process to the one that reports it.

Also loaded by its path into the interpreter of a program: it has the standard library only, of Python 3.8 and later.
"""

from __future__ import annotations

import traceback
from typing import Any


def description_of(error: BaseException) -> dict[str, Any]:
    """An error's type and text, the frames that led to it (the outermost first), and what else a report says of it."""
    found: dict[str, Any] = {
        "type": type(error).__name__,
        "text": _text_of(error),
        "frames": [
            *_registrations(error),
            *((frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)),
        ],
    }
    refused = _refused(error)
    if refused:
        found["refused"] = refused
    if isinstance(error, SystemExit):
        found["status"] = error.code if isinstance(error.code, (int, type(None))) else str(error.code)
    elif isinstance(error, SyntaxError) and error.filename:
        found["syntax"] = (error.filename, error.lineno, error.msg)
    elif isinstance(error, ModuleNotFoundError) and error.name:
        found["missing"] = error.name
    elif any(cls.__name__ == "BaseExceptionGroup" for cls in type(error).__mro__):  # of Python 3.11 and later
        found["parts"] = [description_of(each) for each in getattr(error, "exceptions", ())]
    elif type(error).__name__ == "ConfigMissingError":
        found["key"] = getattr(error, "key", None)
    elif type(error).__name__ == "ValidationError":
        found.update(_invalid(error))
    return found


def _registrations(error: BaseException) -> list[tuple[str, int]]:
    """The places where the program created what the SDK failed to register later, from no line of the program."""
    from urllib.parse import unquote, urlsplit  # only where something failed

    found = []
    for frame, _ in traceback.walk_tb(error.__traceback__):
        place = frame.f_locals.get("source_position")
        uri, line = getattr(place, "uri", ""), getattr(place, "line", 0)
        if isinstance(uri, str) and uri.startswith("file://") and isinstance(line, int):
            found.append((unquote(urlsplit(uri).path), line))
    return found


def _text_of(error: BaseException) -> str:
    """The text of an error; a class of the program's own may fail to make one."""
    try:
        return str(error)
    except Exception as another:  # noqa: BLE001 whatever the program does
        return f"(without a text: {type(another).__name__} in its __str__)"


def _refused(error: BaseException) -> list[dict[str, Any]]:
    """The findings on a description that Penstock refused, also where the program made another error of the refusal."""
    for each in (error, error.__context__):
        if type(each).__name__ == "InvalidDescription":
            try:
                return [
                    {
                        "code": str(found.code),
                        "message": str(found.message),
                        "hint": str(found.hint),
                        "path": found.path,
                    }
                    for found in getattr(each, "findings", ())
                ]
            except AttributeError:  # of another class that is called so
                return []
    return []


def _invalid(error: Any) -> dict[str, Any]:
    """The model that pydantic could not build, and why; nothing where the error is of something else."""
    try:
        return {"model": error.title, "details": error.errors(include_url=False)}
    except Exception:  # noqa: BLE001 another class that is called so, or another version of pydantic
        return {}
