"""The words under which a document may be looked up, and how much it is about each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# English words that name no topic, as those of one or two letters: small words, usual verbs, times, and what letters
# begin and end with.
_NAMELESS = """
able about above accept accepts achieve across act actually add adding adds after afternoon afterwards again against
ago all allow allows almost alone along already also alter although always among and another any anybody anyone anything
anyway anywhere apart appear appears append applies apply apr april are around ask assume assuming aug august avoid
away back because become becomes been before begin begins behave behind being below besides best better between beyond
big both bring brought but call called calls came can cannot care certain change changes changing check checks cheers
choose clean clear combine come common compare consider contain contains control convert copy correct could create
creates creating date dates day days deal dear dec december decide define defined defines defining demonstrate depend
depends describe described describes determine did different difficult direct display does doing done down dozen during
each easy eight either else empty enable enough ensure entire equal equivalent especially etc even evening eventually
ever every everybody everyone everything everywhere exact except exclude execute executed executes exist existing
exists expect explain extra far feb february fetch few fewer figure fill finally find finding finds fine first five
follow following follows for force former forth forwarded found four free friday from full further general generate get
gets getting give given gives goes going gone good got grab great greetings had half handle happen happens hardly has
have having hear hello help helpful helps hence her here hers herself high him himself his hold hope hour hours how
however hundred important include includes including indeed initial instead interesting into its itself jan january jul
july jun june just keep keeps kept know known large last late later latest latter least leave left less let like likely
list little long look looks lookup lot low madam made main mainly make makes making manage many mar march match may
maybe mean means meant meanwhile mention might mine minute minutes moment monday month months more moreover morning
most mostly move mrs much must myself namely near nearly need needed needs neither never nevertheless new next nice
night nine nobody none noon nor normal not nothing notice nov november now nowhere occur occurred occurrence occurs oct
october off often old omit once one ones only onto open original other others otherwise ought our ours ourselves out
output over overall own particular pass per perform perhaps pick place plain please point possible possibly prefer
present prevent previous print produce provide provided provides put puts quick quickly quite rather read ready real
really recent refer regarding regards related remember remove removing repeat replace reply require required requires
respond return returns right run running runs safe same saturday save saw say says second seconds see seem seemed seems
seen select send sep sept september set sets setting seven several shall she short should show shown shows side similar
simple since sincerely single sir six skip small some somebody somehow someone something sometimes somewhere soon
special specific split standard start started starts stay still stop straight strange such sunday suppose sure take
taken takes talk tell tells ten than thank thanks that the their theirs them themselves then there therefore these they
thing things think third this those though thousand three through throughout thursday thus till time times today
together tomorrow tonight too took toward towards tried true try tuesday turn two under underscore understand unless
until updating upon use used useful uses using usual usually various very via wait want wanted wants was watch way ways
wednesday week weekend weeks well went were what whatever when whenever where whereas wherever whether which while who
whoever whole whom whose why wide will win wishes with within without wonder work worked working works worry would
write writes writing written wrong wrote year years yes yesterday yet you your yours yourself yourselves
"""
# How texts and code are written; a title may still mean them, as "Your order" does.
_OF_FORM = """
abstract answer appendix area args array article aspect assert async attribute await base bash basic basics beginning
bin bit bool boolean bottom break build builds built bullet byte callable case cases catch chapter char character class
classes clause cls code com command commands comment comments console const constant content contents continue count
data def default del delete detail details dict doc docs document documentation elif end entry enum env error errors
example examples exception exceptions export extends fact false field fields file files flag float footnote foreach
form format func function functions global heading href html http https idea image impl implementation implements
import index info information inherit input install instance integer interface introduction item items jump key keys
kind kwargs lead len line lines link links lower method methods mod mode module modules name names nil nonlocal note
notes null number numbers object objects option options order org override overview package page pages param parameter
parameters part parts path piece post problem property question readme readonly reason ref reference result results
search section self sent setup signed size sizeof snippet solution sort source step store struct stuff sub subject
summary super syntax tag template term test text throw throws til tip tips title todo tool top topic traceback trick
tricks tuple type typedef typename types unit unsigned update user users val value values var variable variables
version versions view void word words www yaml yield zsh
"""
NAMELESS, OF_FORM = frozenset(_NAMELESS.split()), frozenset(_OF_FORM.split())
_MOST_CHARS = 2000  # of a document's text; its beginning says what it is about
_MOST_PHRASE_CHARS = 60
_MOST_HUB_WORDS = 3
_HALF = 0.5  # how often a word occurs in a text of usual length that is half about it
_USUAL_WORDS = 60  # that tell something, in a text of usual length
_WORD = r"(?<![\w.])[^\W\d_]{3,}(?:['\u2019][^\W\d_]+)?(?![\w(])"  # neither in an identifier nor the name of a call
_RUN = re.compile(rf"{_WORD}(?:[ -]{_WORD})*")
_APART = re.compile(r"[ -]")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)[^\n]*$|https?://\S+|\S+@\S+|^>[^\n]*$", re.MULTILINE)
_LINK = re.compile(r"\[\[([^\]|#\n]+)")
_REPLY = re.compile(r"^(?:(?:re|fwd?|aw|wg|sv|tr)\s*:\s*)+", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[A-Za-z]\w{0,4}\Z")
_NOT_A_NOUN = re.compile(r"\w{3,}(?:[^e]ed|[^i]ly)\Z")  # not: seed, family


@dataclass(frozen=True, slots=True)
class TopicDocument:
    """What is known of a document whose room is looked for.

    Attributes:
        title: Its title, or the name of its file.
        text: How it begins.
        headings: Within this beginning.
        labels: Under which its author filed it.
    """

    title: str
    text: str
    headings: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TopicWords:
    """The words and phrases of n documents.

    Attributes:
        names: Each word as people read it; no two are equal, whatever their case.
        weights: How much each document is about each word, 0 to 1; n rows. A word of the title, of a heading, of a
            label or of a link to another note counts 1; any other by how often it occurs.
        titled: 1 where it is such a word; n rows.
        lengths: Number of words of each name, less one.
    """

    names: list[str]
    weights: csr_array
    titled: csr_array
    lengths: np.ndarray


def topic_words(documents: Sequence[TopicDocument], *, least: int, most: int) -> TopicWords:
    """Return the words that at least `least` and at most `most` documents have.

    Singular and plural are one word. Two neighbouring words are one too, and so is a whole title, label or target of a
    link. Words that name no topic are left out.
    """
    from scipy.sparse import csr_array  # loaded when it is first needed: it takes 22 MiB

    about = [_about(document) for document in documents]
    count = Counter(word for weights, _ in about for word in weights)
    words = sorted(word for word, documents_ in count.items() if least <= documents_ <= most)
    place = {word: at for at, word in enumerate(words)}
    written: dict[str, Counter[str]] = {word: Counter() for word in words}
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, (weights, forms) in enumerate(about):
        for word, weight in weights.items():
            if word in place:
                rows.append(row)
                columns.append(place[word])
                values.append(weight)
                written[word] += forms[word]
    weighed = csr_array((np.array(values, np.float32), (rows, columns)), shape=(len(documents), len(words)))
    names = [_readable(written[word]) for word in words]
    heaviest = np.argsort(-weighed.sum(axis=0), kind="stable").tolist()
    first = {names[at].casefold(): at for at in reversed(heaviest)}
    kept = sorted(first.values())
    names, weighed = [names[at] for at in kept], weighed[:, kept]
    titled = (weighed >= 1).astype(np.float32)
    return TopicWords(names, weighed, titled, np.array([len(name.split()) - 1 for name in names], np.float32))


def _about(document: TopicDocument) -> tuple[dict[str, float], dict[str, Counter[str]]]:
    """Return the weight of each word of a document, and how often it is written in which form."""
    text = document.text[:_MOST_CHARS]
    links = [link.strip() for link in _LINK.findall(text)]
    title = _SUFFIX.sub("", _REPLY.sub("", document.title))
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for word, form in _words(_FENCE.sub(".", _LINK.sub(".", text)), without=OF_FORM):
        forms[word][form] += 1
    long = sum(sum(count.values()) for word, count in forms.items() if " " not in word) / _USUAL_WORDS
    half = _HALF * (0.25 + 0.75 * long)  # as in BM25
    often = {word: sum(count.values()) for word, count in forms.items()}
    weights = {word: times / (times + half) for word, times in often.items()}
    for said in (title, *document.headings, *document.labels, *links):
        for word, form in _words(said):
            weights[word] = 1.0
            forms[word][form] += 1
    whole = title if title == document.title or _REPLY.match(document.title) else ""  # never the name of a file
    hubs = [
        link for link in links if len(link.split()) <= _MOST_HUB_WORDS
    ]  # a longer one is the title of a single note
    for phrase in (*([whole] if " " in whole else []), *document.labels, *hubs):
        if phrase.strip() and len(phrase) <= _MOST_PHRASE_CHARS:
            weights[f"={phrase.casefold()}"] = 1.0
            forms[f"={phrase.casefold()}"][phrase.strip()] += 1
    return weights, forms


def _words(text: str, *, without: Set[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Yield each word that may name a topic, and each two neighbours, in one form for all and as they are written."""
    for run in _RUN.findall(text):
        before: tuple[str, str] | None = None
        for written in _APART.split(run):
            word = _folded(written)
            if not word:
                before = None
                continue
            if word not in without:
                yield word, written
            if before is not None and before[0] != word and not {before[0], word} <= without:
                yield f"{before[0]} {word}", f"{before[1]} {written}"
            before = (word, written)


@lru_cache(maxsize=100_000)
def _folded(written: str) -> str:
    """Return the singular of a word in lower case, or "" if it names no topic."""
    word = written.lower()
    if word.endswith(("'s", "\u2019s")):
        word = word[:-2]
    elif "'" in word or "\u2019" in word:
        return ""
    singular = word
    if len(word) > 4 and word.endswith("ies"):
        singular = f"{word[:-3]}y"
    elif len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        singular = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        singular = word[:-1]
    return "" if word in NAMELESS or singular in NAMELESS or _NOT_A_NOUN.match(word) else singular


def _readable(forms: Counter[str]) -> str:
    """Return the usual form of a word: in small letters, unless it is seldom written so."""
    cases: dict[str, Counter[str]] = defaultdict(Counter)
    for form, times in forms.items():
        cases[form.lower()][form] += times
    usual, written = max(cases.items(), key=lambda case: (case[1].total(), case[0]))
    return usual if 4 * written[usual] >= written.total() else max(written, key=lambda form: (written[form], form))
