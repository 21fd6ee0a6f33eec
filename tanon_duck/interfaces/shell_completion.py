"""What Tab completes behind ``tanon-duck``, as a script for bash, zsh or fish.

The scripts hold all commands, functions and options, so that nothing is run while somebody types.
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
    """One option: its spellings, what it means, and the words that may follow, if few."""

    spelt: tuple[str, ...]
    told: str
    choices: tuple[str, ...]
    takes_value: bool


@dataclass(frozen=True)
class Command:
    """A first word: a command, or a function."""

    name: str
    told: str
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
        spelt = " ".join(word for option in command.options for word in option.spelt)
        values = [
            f"            {'|'.join(option.spelt)}) words='{' '.join(option.choices)}' ;;\n"
            for option in command.options
            if option.choices
        ]
        after = ""
        if values:
            after = f'        case "$before" in\n{"".join(values)}        esac\n'
        cases.append(f"    {command.name})\n        options='{spelt}'\n{after}        ;;\n")
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
    names = "\n".join(f"    {_quoted(f'{c.name}:{c.told}')}" for c in commands)
    cases = []
    for command in commands:
        lines = []
        for option in command.options:
            told = re.sub(r"([\[\]:\\])", r"\\\1", option.told)
            value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
            together = "(" + " ".join(option.spelt) + ")" if len(option.spelt) > 1 else "*"
            for spelt in option.spelt:
                text = f"{together}{spelt}[{told}]{value if option.takes_value else ''}"
                lines.append(f"            {_quoted(text)} \\\n")
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
            f"-d {_quoted(command.told)}"
        )
        for option in command.options:
            words = [f"-{'l' if s.startswith('--') else 's'} {s.lstrip('-')}" for s in option.spelt]
            if option.choices:
                words.append(f"-x -a {_quoted(' '.join(option.choices))}")
            elif option.takes_value:
                words.append("-r")
            here = _quoted(f"__fish_seen_subcommand_from {command.name}")
            told = _quoted(option.told)
            lines.append(f"complete -c tanon-duck -n {here} {' '.join(words)} -d {told}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """For a shell, in single quotes, which fish lets only a backslash out of."""
    return "'" + text.replace("\\", "\\\\").replace("'", "’") + "'"
