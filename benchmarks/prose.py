"""English prose in which nearly every sentence has names, most of them two, the same in every run."""

from __future__ import annotations

import random
from itertools import accumulate

FIRST_NAMES = (
    *("Alice", "Arthur", "Clara", "Daniel", "Edith", "Ernest", "Flora", "George", "Hannah", "Henry", "Ida", "James"),
    *("Julia", "Karl", "Laura", "Martin", "Nora", "Oscar", "Paul", "Rosa", "Ruth", "Simon", "Thomas", "Vera", "Walter"),
)
ROOTS = (
    *("Ash", "Bar", "Black", "Cal", "Crow", "Dun", "Elm", "Fair", "Gren", "Hal", "Har", "Kirk", "Lang", "Mar", "Nor"),
    *("Oak", "Pem", "Ray", "Stan", "Thorn", "Wal", "Whit", "Win", "Wood"),
)
_OF_PEOPLE = ("ley", "man", "son", "well", "worth", "by")
_OF_PLACES = ("ham", "burgh", "ford", "haven", "bridge", "field", "mouth", "port")
_OF_ORGANISATIONS = ("Railway Company", "University", "Museum", "Trading Society", "Observatory", "Steel Works")
_SENTENCES = (
    "{person} was born in {place} in {year} and learned to mend clocks from a neighbour.",
    "After the flood of {year}, {person} moved the whole workshop to {place}.",
    "The {organisation} hired {person} to draw the plans of a longer and much safer bridge.",
    "Letters between {person} and {other} tell how slowly the harbour was built.",
    "In {place}, {person} kept a small garden and wrote down the weather every morning.",
    "Nobody at the {organisation} believed {person}, whose measurements were right all the same.",
    "{person} sold the house in {place} and gave the money to a school for sailors.",
    "Twice a year {person} travelled from {place} to {town} with a cart full of glass.",
    "The second engine was paid for by the {organisation}, as {other} had proposed in a long report.",
    "When {other} fell ill in {year}, {person} took over the lectures and the keys of the library.",
    "A map of {place} that {person} drew by hand hangs in the hall to this day.",
    "The road from {town} to {place} was too steep for horses, so it was laid out again.",
)


class _Names:
    """Names of which the n-th is drawn with a weight of 1 / n, as some names are far more frequent than others."""

    def __init__(self, names: list[str], chosen: random.Random) -> None:
        chosen.shuffle(names)
        self._names = names
        self._weights = list(accumulate(1 / rank for rank in range(1, len(names) + 1)))
        self._chosen = chosen

    def draw(self) -> str:
        return self._chosen.choices(self._names, cum_weights=self._weights)[0]


def pages(count: int, *, paragraphs: int, sentences: int) -> list[str]:
    """Return texts of some paragraphs, each of which has some sentences."""
    chosen = random.Random(20_261_125)
    homes = [f"{root}{end}" for root in ROOTS for end in _OF_PLACES]
    people = _Names([f"{first} {root}{end}" for first in FIRST_NAMES for root in ROOTS for end in _OF_PEOPLE], chosen)
    organisations = _Names([f"{home} {kind}" for home in homes for kind in _OF_ORGANISATIONS], chosen)
    places = _Names(homes, chosen)

    def sentence() -> str:
        return chosen.choice(_SENTENCES).format(
            person=people.draw(),
            other=people.draw(),
            place=places.draw(),
            town=places.draw(),
            organisation=organisations.draw(),
            year=chosen.randint(1700, 1990),
        )

    return [
        "\n\n".join(" ".join(sentence() for _ in range(sentences)) for _ in range(paragraphs)) + "\n"
        for _ in range(count)
    ]
