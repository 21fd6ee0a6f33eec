"""Replacements matched to surplus values."""


def matched(wanted: list[int], options: dict[int, list[int]], quota: int) -> list[int]:
    """Give each surplus value one of its options, each option at most quota times."""
    holders: dict[int, list[int]] = {}
    given: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for option in options[wanted[row]]:
            if option in tried:
                continue
            tried.add(option)
            held = holders.setdefault(option, [])
            if len(held) < quota:
                held.append(row)
                given[row] = option
                return True
            for slot, other in enumerate(held):
                if place(other, tried):
                    held[slot] = row
                    given[row] = option
                    return True
        return False

    for row in range(len(wanted)):
        if not place(row, set()):
            raise ValueError("replacements must offer enough other values for every class")
    return [given[row] for row in range(len(wanted))]
