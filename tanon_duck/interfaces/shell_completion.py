"""Write completion scripts of ``tanon-duck`` for bash, zsh and fish.

A script contains all commands, functions and options. So Tab starts no process.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass

from tanon_duck.interfaces.files.function_parser import FunctionParser
from tanon_duck.macros import catalog

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True)
class Option:
    """One option: its spellings, for example ``-k`` and ``--k``, its help, and its choices."""

    spellings: tuple[str, ...]
    help: str
    choices: tuple[str, ...]
    takes_value: bool


@dataclass(frozen=True)
class Command:
    """A command or a function with its options: the first word after ``tanon-duck``."""

    name: str
    help: str
    options: tuple[Option, ...]


def script(shell: str, parsers: dict[str, argparse.ArgumentParser]) -> str:
    """Return the script for this shell, with these commands and all functions."""
    commands = [Command(n, p.description or "", _options(p)) for n, p in parsers.items()]
    for function in sorted(catalog.functions().values(), key=lambda f: f.name):
        own = FunctionParser(function).parser
        commands.append(Command(function.name, function.header.summary, _options(own)))
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _options(parser: argparse.ArgumentParser) -> tuple[Option, ...]:
    return tuple(
        Option(
            tuple(action.option_strings),
            " ".join((action.help or "").replace("%%", "%").split()),
            tuple(map(str, action.choices or ())),
            action.nargs != 0,
        )
        for action in parser._actions
        if action.option_strings
    )


def _bash(commands: list[Command]) -> str:
    cases = []
    for command in commands:
        spellings = " ".join(word for option in command.options for word in option.spellings)
        values = [
            f"            {'|'.join(option.spellings)}) words='{' '.join(option.choices)}' ;;\n"
            for option in command.options
            if option.choices
        ]
        after = ""
        if values:
            after = f'        case "$before" in\n{"".join(values)}        esac\n'
        cases.append(f"    {command.name})\n        options='{spellings}'\n{after}        ;;\n")
    names = " ".join(command.name for command in commands)
    return f"""\
# Completion of tanon-duck for bash: eval "$(tanon-duck completion bash)"
_tanon_duck() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local options='--help --version' words=''
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{names} --help --version' -- "$word"))
        return
    fi
    case "${{COMP_WORDS[1]//-/_}}" in
{"".join(cases)}    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    elif [ "${{word:0:1}}" = - ]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -o filenames -o bashdefault -F _tanon_duck tanon-duck
"""


def _zsh(commands: list[Command]) -> str:
    names = "\n".join(f"    {_quoted_for_shells(f'{c.name}:{c.help}')}" for c in commands)
    cases = []
    for command in commands:
        lines = []
        for option in command.options:
            help = re.sub(r"([\[\]:\\])", r"\\\1", option.help)
            value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
            together = "(" + " ".join(option.spellings) + ")" if len(option.spellings) > 1 else "*"
            for spellings in option.spellings:
                text = f"{together}{spellings}[{help}]{value if option.takes_value else ''}"
                lines.append(f"            {_quoted_for_shells(text)} \\\n")
        cases.append(
            f"    {command.name})\n        _arguments \\\n{''.join(lines)}"
            "            '*:file:_files'\n        ;;\n"
        )
    return f"""\
#compdef tanon-duck
# Completion of tanon-duck for zsh: eval "$(tanon-duck completion zsh)" behind compinit
_tanon_duck() {{
    local -a names
    names=(
{names}
    )
    if (( CURRENT == 2 )); then
        _describe 'command or function' names
        return
    fi
    local command="${{words[2]//-/_}}"
    shift words
    (( CURRENT-- ))
    case "$command" in
{"".join(cases)}    esac
}}
compdef _tanon_duck tanon-duck
"""


def _fish(commands: list[Command]) -> str:
    lines = ["# Completion of tanon-duck for fish: tanon-duck completion fish | source"]
    for command in commands:
        lines.append(
            f"complete -c tanon-duck -n __fish_use_subcommand -f -a {command.name} "
            f"-d {_quoted_for_shells(command.help)}"
        )
        for option in command.options:
            words = [
                f"-{'l' if s.startswith('--') else 's'} {s.lstrip('-')}" for s in option.spellings
            ]
            if option.choices:
                words.append(f"-x -a {_quoted_for_shells(' '.join(option.choices))}")
            elif option.takes_value:
                words.append("-r")
            here = _quoted_for_shells(f"__fish_seen_subcommand_from {command.name}")
            help = _quoted_for_shells(option.help)
            lines.append(f"complete -c tanon-duck -n {here} {' '.join(words)} -d {help}")
    return "\n".join(lines) + "\n"


def _quoted_for_shells(text: str) -> str:
    """Quote a text for all three shells; an apostrophe becomes ’, which needs no escape."""
    return "'" + text.replace("\\", "\\\\").replace("'", "’") + "'"
