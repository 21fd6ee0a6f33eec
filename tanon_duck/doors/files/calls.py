"""The SQL of a request: one call on the files that it names."""

from pathlib import Path

from tanon_duck.doors.files.command import Request
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import identifier, literal


def call_of(function: Function, request: Request) -> str:
    """The SQL that answers the request once its inputs are loaded."""
    given = request.values | {
        name: literal(_relation(name, paths, request.only_sql))
        for name, paths in request.inputs.items()
        if not function.is_scalar
    }
    call = f"tanon.{function.name}({', '.join(f'{name} := {sql}' for name, sql in given.items())})"
    if not function.is_scalar:
        return f"from {call}"
    if request.inputs:
        return f"select *, {call} as {function.name} from source"
    return f"select {call} as {function.name}"


def _relation(name: str, paths: list[Path], only_sql: bool) -> str:
    """What is read: the view of the loaded files, or the files themselves."""
    if not only_sql:
        return identifier(name)
    return files_as_sql(paths)


def files_as_sql(paths: list[Path]) -> str:
    """What is read where SQL is shown: the files themselves, several as one table."""
    files = [identifier(str(path)) for path in paths]
    return files[0] if len(files) == 1 else f"(from {' union all by name from '.join(files)})"
