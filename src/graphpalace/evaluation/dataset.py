"""Generates synthetic patent publications for trials. The same arguments give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Any

from graphpalace.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class PublicationTopic:
    """A topic of synthetic publications.

    Attributes:
        subclass: Subclass of the IPC and the CPC.
        groups: Main groups and subgroups as `main/sub`, the most frequent first.
        theme: Theme code of F-terms.
        things: Groups of nouns with similar meanings.
        acts: Groups of verbs in the third person with similar meanings.
    """

    subclass: str
    groups: tuple[str, ...]
    theme: str
    things: tuple[tuple[str, ...], ...]
    acts: tuple[tuple[str, ...], ...]


def _topic(subclass: str, groups: str, theme: str, things: str, acts: str) -> PublicationTopic:
    first, second = (tuple(tuple(word.split("|")) for word in words.split()) for words in (things, acts))
    return PublicationTopic(subclass, tuple(groups.split()), theme, first, second)


# The most frequent first.
TOPICS = (
    _topic(
        "G06F", "21/60 16/90 3/01 9/50 11/14", "5B376",
        "processor|cpu|core|computer memory|storage|ram|buffer task|job|workload|thread "
        "scheduler|dispatcher|planner|arbiter backup|replica|snapshot|copy "
        "database|repository|archive|catalogue",
        "schedules|queues|orders|plans allocates|assigns|reserves|grants "
        "restores|recovers|rebuilds|reinstates",
    ),
    _topic(
        "H04L", "9/32 12/28 67/10 1/00 41/08", "5K030",
        "packet|datagram|frame|message key|secret|credential|token router|gateway|switch|relay "
        "network|mesh|internet|fabric certificate|signature|attestation|proof "
        "session|connection|tunnel|channel",
        "encrypts|ciphers|scrambles|enciphers authenticates|verifies|identifies|validates "
        "forwards|routes|sends|conveys",
    ),
    _topic(
        "H04W", "72/04 24/10 4/80 88/02", "5K067",
        "terminal|handset|phone|device antenna|aerial|radiator|array carrier|band|frequency|subcarrier "
        "beam|lobe|sector|ray handover|roaming|transfer|migration interference|noise|crosstalk|jamming",
        "transmits|broadcasts|radiates|emits measures|estimates|gauges|samples hops|retunes|jumps|shifts",
    ),
    _topic(
        "H01L", "21/02 29/78 23/00 27/14", "5F110",
        "transistor|mosfet|switch|triode wafer|substrate|slice|disc gate|electrode|terminal|contact "
        "oxide|insulator|dielectric|film dopant|impurity|ion|donor trench|recess|groove|cavity",
        "etches|removes|carves|ablates deposits|grows|coats|sputters anneals|heats|bakes|tempers",
    ),
    _topic(
        "A61K", "31/00 9/20 47/10 38/17", "4C076",
        "tablet|pill|capsule|lozenge inhibitor|antagonist|blocker|suppressor receptor|target|site|ligand "
        "excipient|filler|binder|carrier plasma|serum|blood|bloodstream peptide|protein|polypeptide|oligomer",
        "dissolves|releases|disperses|liberates inhibits|blocks|suppresses|hinders "
        "relieves|treats|soothes|cures",
    ),
    _topic(
        "H01M", "10/052 4/13 8/04 50/20", "5H029",
        "battery|accumulator|cell|pile cathode|positive|lithiated|layered anode|negative|graphite|silicon "
        "electrolyte|solvent|salt|ionic separator|membrane|foil|diaphragm charger|supply|adapter|converter",
        "charges|replenishes|fills|powers conducts|carries|passes|leads degrades|ages|fades|weakens",
    ),
    _topic(
        "B60W", "30/09 40/08 50/14 10/06", "3D241",
        "vehicle|car|automobile|lorry driver|motorist|operator|chauffeur lane|road|carriageway|street "
        "brake|retarder|caliper|decelerator collision|crash|impact|accident "
        "pedestrian|walker|cyclist|bystander",
        "steers|guides|turns|directs warns|alerts|signals|notifies decelerates|slows|stops|halts",
    ),
    _topic(
        "G06N", "3/08 20/00 5/04 10/00", "5B078",
        "neural|connectionist|deep|layered gradient|slope|derivative|descent label|annotation|class|tag "
        "qubit|quantum|spin|photonic dataset|corpus|sample|collection weight|parameter|coefficient|synapse",
        "trains|learns|fits|optimises infers|predicts|forecasts|deduces clusters|partitions|groups|segments",
    ),
    _topic(
        "G06T", "7/00 5/50 17/00 1/20", "5L096",
        "image|picture|photograph|bitmap pixel|dot|texel|voxel edge|contour|outline|boundary "
        "camera|lens|imager|sensor texture|pattern|surface|grain mesh|polygon|triangle|model",
        "segments|separates|isolates|crops renders|draws|shades|displays denoises|smooths|filters|cleans",
    ),
    _topic(
        "C07K", "16/28 14/705 7/06", "4H045",
        "antibody|immunoglobulin|nanobody|binder antigen|epitope|marker|determinant "
        "tumour|cancer|carcinoma|neoplasm gene|sequence|transcript|codon vector|plasmid|construct|cassette "
        "lymphocyte|leukocyte|macrophage|tcell",
        "binds|attaches|couples|docks expresses|produces|secretes|synthesises "
        "mutates|alters|substitutes|modifies",
    ),
    _topic(
        "B65D", "81/38 5/42 33/00", "3E067",
        "carton|box|package|parcel lid|cover|cap|closure pouch|bag|sachet|sleeve seal|gasket|adhesive|weld "
        "pallet|tray|crate|skid label|sticker|print|imprint",
        "folds|creases|bends|pleats encloses|wraps|surrounds|envelops stacks|piles|nests|heaps",
    ),
    _topic(
        "F03D", "1/06 7/02 13/20", "3H178",
        "turbine|windmill|rotor|aerogenerator blade|vane|airfoil|wing nacelle|housing|hub|pod "
        "tower|mast|pylon|column gearbox|transmission|drivetrain|bearing gust|wind|breeze|storm",
        "rotates|spins|revolves|whirls pitches|feathers|tilts|angles generates|yields|delivers|harvests",
    ),
    _topic(
        "C09K", "11/06 5/04 8/00", "4H001",
        "phosphor|luminophore|emitter|fluorophore refrigerant|coolant|chiller|fluid "
        "crystal|lattice|grain|powder dye|pigment|colourant|chromophore wavelength|spectrum|hue|colour "
        "europium|cerium|terbium|lanthanide",
        "glows|luminesces|shines|fluoresces absorbs|captures|soaks|takes cools|chills|refrigerates|condenses",
    ),
    _topic(
        "A01G", "31/00 9/24 25/16", "2B314",
        "greenhouse|hothouse|polytunnel|glasshouse seedling|plant|sprout|crop "
        "nutrient|fertiliser|mineral|feed irrigation|drip|sprinkler|watering soil|earth|compost|medium "
        "lamp|light|led|luminaire",
        "waters|sprinkles|moistens|drenches germinates|sprouts|buds|shoots ventilates|airs|aerates|flushes",
    ),
    _topic(
        "E05B", "47/00 65/00 49/00", "2E250",
        "lock|latch|bolt|fastener door|gate|hatch|shutter keycard|fob|badge|pass "
        "cylinder|barrel|tumbler|plug spring|coil|resilient|elastic handle|knob|lever|grip",
        "locks|fastens|secures|bars unlatches|opens|releases|frees engages|catches|grips|meshes",
    ),
    _topic(
        "G01S", "7/48 13/93 17/89 19/01", "5J084",
        "radar|lidar|sonar|rangefinder echo|reflection|return|backscatter "
        "satellite|orbiter|constellation|spacecraft doppler|velocity|speed|motion laser|pulse|beam|chirp "
        "target|object|obstacle|scatterer",
        "ranges|locates|positions|triangulates scans|sweeps|surveys|rakes tracks|follows|pursues|traces",
    ),
)  # fmt: skip


LANES = ("fulltext", "semantic")
MOST = 900_000  # the numbers of publications have six digits
_OFFICES = ("JP", "US", "EP", "CN", "KR", "WO")
_OWNERS = ("Owl", "Lark", "Heron", "Finch", "Raven", "Swift", "Plover", "Crane", "Kestrel", "Wren")
_FIRMS = ("Works", "Industries", "Laboratories", "Systems", "Holdings")
_FAMILY_SIZES, _FAMILY_WEIGHTS = (1, 2, 3, 4), (50, 25, 15, 10)
_FIRST_DAY, _DAYS = date(2014, 1, 1), 3650


def dataset_lines(lane: str, *, count: int, seed: int) -> Iterator[str]:
    """Return the lines of a data set. Each is one publication as JSON, followed by a line feed.

    A data set with a larger count begins with the lines of a smaller one.

    Args:
        lane: With `fulltext`, all publications of a topic use the same words. With `semantic`, they use different words
            of the same meaning.
        count: Number of publications, 1 to `MOST`.
        seed: Seed of the random generator, >= 0.

    Raises:
        InvalidInput: If an argument is out of range.
    """
    if lane not in LANES:
        raise InvalidInput(f"lane is {lane!r}; it must be one of {', '.join(LANES)}", field="lane", value=lane)
    if not 1 <= count <= MOST:
        raise InvalidInput(f"count is {count}; it must be 1 to {MOST}", field="count", value=count)
    if seed < 0:
        raise InvalidInput(f"seed is {seed}; it must be 0 or more", field="seed", value=seed)
    records = islice(_records(Random(f"{lane} {seed}"), paraphrase=lane == "semantic"), count)
    return (json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@dataclass(frozen=True, slots=True)
class _Invention:
    """The data that all publications of a family share."""

    family_id: str
    topic: PublicationTopic
    title: str
    assignee: str
    codes: dict[str, list[str]]
    first_day: date
    offices: list[str]


def _records(random: Random, *, paraphrase: bool) -> Iterator[dict[str, Any]]:
    """Yield an endless sequence of publications, family by family."""
    number = family = 0
    while True:
        family += 1
        writer = _Writer(random, _skewed(random, TOPICS), paraphrase=paraphrase)
        invention = _invention(random, writer, family)
        for office in invention.offices:
            number += 1
            yield _publication(random, writer, invention, office, number)


def _invention(random: Random, writer: _Writer, family: int) -> _Invention:
    (size,) = random.choices(_FAMILY_SIZES, _FAMILY_WEIGHTS)
    return _Invention(
        family_id=f"F{family:06}",
        topic=writer.topic,
        title=writer.title(),
        assignee=f"{_skewed(random, _OWNERS)} {_skewed(random, _FIRMS)}",
        codes=_codes(random, writer.topic),
        first_day=_FIRST_DAY + timedelta(days=random.randrange(_DAYS)),
        offices=sorted(random.sample(_OFFICES, size), key=_OFFICES.index),
    )


def _publication(random: Random, writer: _Writer, of: _Invention, office: str, number: int) -> dict[str, Any]:
    published = of.first_day + timedelta(days=random.randrange(500))
    return {
        "pub_id": f"{office}{published.year}{number:06}",
        "app_id": f"{office}{published.year - 1}{number:06}",
        "exam_id": f"EXAM{number:06}",
        "family_id": of.family_id,
        "country": office,
        "assignee": of.assignee,
        "published": published.isoformat(),
        "title": of.title,
        "abst": writer.paragraph(3),
        "claim": writer.claims(),
        "desc": "\n\n".join(writer.paragraph(random.randint(4, 7)) for _ in range(random.randint(2, 3))),
        **of.codes,
    }


def _codes(random: Random, topic: PublicationTopic) -> dict[str, list[str]]:
    """Return random codes of a topic, and in 30 % of the cases also of another one."""
    topics = [topic] + [_skewed(random, TOPICS)] * (random.random() < 0.3)
    symbols = [f"{each.subclass}{_skewed(random, each.groups)}" for each in topics for _ in range(random.randint(1, 2))]
    cpc = list(dict.fromkeys(symbols))
    terms = [f"{each.theme}{random.choice('ABCDE') * 2}{random.randint(1, 20):02}" for each in topics]
    return {
        "ipc_codes": cpc[: max(1, len(cpc) - 1)],
        "cpc_codes": cpc,
        "fi_codes": [f"{symbol},{random.randint(1, 4)}00{random.choice('AZ')}" for symbol in cpc[:2]],
        "ft_codes": terms,
    }


class _Writer:
    """Writes texts about one invention, always using the same word for the same thing.

    Args:
        paraphrase: Whether to choose among words of the same meaning. If not, all inventions of a topic use the same
            words.
    """

    def __init__(self, random: Random, topic: PublicationTopic, *, paraphrase: bool) -> None:
        self.topic = topic
        self._random = random
        self._nouns = [random.choice(words) if paraphrase else words[0] for words in topic.things]
        self._verbs = [random.choice(words) if paraphrase else words[0] for words in topic.acts]

    def title(self) -> str:
        """Return a title of a few words."""
        first, second = self._things(2)
        return f"{first.capitalize()} with {second}"

    def paragraph(self, sentences: int) -> str:
        """Return a paragraph with a number of sentences."""
        return " ".join(self._sentence() for _ in range(sentences))

    def claims(self) -> str:
        """Return an independent claim and two that depend on it, each on its own line."""
        first, second, third, fourth = self._things(4)
        return (
            f"1. An apparatus having one {first} and one {second}, wherein the {first} {self._act()} the {second}.\n"
            f"2. The apparatus of claim 1, wherein each {third} {self._act()} the {second}.\n"
            f"3. The apparatus of claim 1 or 2, further having one {fourth}."
        )

    def _sentence(self) -> str:
        first, second, third = self._things(3)
        pattern = self._random.choice((
            "The {0} {3} the {1} by means of the {2}.",
            "When one {0} {3} the {1}, the {2} stays as it is.",
            "In one embodiment the {0} {3} each {1} before the {2} {4} it.",
            "Thus the {0} {3} the {1} and {4} the {2}.",
        ))  # fmt: skip
        return pattern.format(first, second, third, self._act(), self._act())

    def _things(self, count: int) -> list[str]:
        return self._random.sample(self._nouns, count)

    def _act(self) -> str:
        return self._random.choice(self._verbs)


def _skewed(random: Random, items: tuple[Any, ...]) -> Any:
    """Return a random item. The probability of the n-th is proportional to 1 / n (Zipf)."""
    return random.choices(items, [1 / rank for rank in range(1, len(items) + 1)])[0]
