"""The topics of synthetic publications: their classification codes, and groups of words with similar meanings."""

from __future__ import annotations

from dataclasses import dataclass


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
