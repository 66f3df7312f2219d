"""Words by which names are told from other words, one kind of name from another, and one language from another."""

from __future__ import annotations

import re

_READ_CHARS = 2000
_MOST_FOREIGN = 0.3  # largest share of letters outside of ASCII in a text of a language that is known here
_LEAST_FREQUENT = 2  # words that a language other than English must have in a text
_LETTERS = re.compile(r"[^\W\d_]+")
_FREQUENT = {
    "en": "the of and to in is was for that it with as on by at from are this be not you have",
    "de": "der die das und ist nicht ein eine den mit von zu im auf für des dem wird sich auch als",
    "fr": "le la les des et est une du dans que pour pas qui sur au avec sont ce il elle par",
    "es": "el la los las de y es una del en que por con para se su no como más pero al",
    "it": "il la di e è un una che per non con del della sono nel si da al anche come",
    "pt": "o a os as de e é um uma do da que em para com não por no na se mais",
    "nl": "de het een en van is in op dat niet te met voor zijn aan er ook als bij naar",
}
_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


JOINING = _words("""
    of the de la le del der den des di da van von zu and & for
""")
COMMON = _words("""
    a about above after again against all also although always among an and another any are as at be because been
    before being below between both but by can cannot could did do does doing down during each either every few
    finally first for from further had has have having he her here hers him his how however i if in indeed instead
    into is it its itself just last later let like many may maybe me meanwhile more moreover most much must my never
    new next no nor not nothing now of off often on once one only or other our out over own perhaps please rather
    same see several she should since so some sometimes soon still such than that the their them then there
    therefore these they this those though through thus to together too two under unless until up upon us use used
    using very was we well were what when where whether which while who whom whose why will with within without
    would yes yet you your thanks hello hi ok okay note example today yesterday tomorrow monday tuesday wednesday
    thursday friday saturday sunday january february march april june july august september october november
    december chapter section figure table page part step
""")
GERMAN = _words("""
    der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr und oder aber wenn dann als auf im
    in mit von zu für nach bei um an am aus seit wie was wer wo warum doch auch nur so da dort hier heute morgen gestern
""")
TITLES = _words("""
    mr mrs ms miss dr prof professor sir lady lord dame president king queen prince princess captain herr frau
    monsieur madame señor señora signor saint pope emperor general colonel senator judge
""")
ORGANISATIONS = _words("""
    inc ltd llc gmbh ag corp corporation company co university college school institute institution association
    society foundation bank group party ministry department committee council agency union league club orchestra
    museum church laboratory laboratories universität verein université universidad records studios press airlines
""")
PLACES = _words("""
    river lake mount mountain mountains island islands city county street avenue road bay valley sea ocean desert
    peninsula province state republic kingdom airport station bridge park castle square forest hill hills beach
""")
EVENTS = _words("""
    war battle revolution festival olympics championship cup conference treaty election siege massacre
""")
SMALL = _words("""
    a an and as at by de del der des di du e el en et for from für im in la le of on or the to und van vom von with
    y zu
""")
OCCUPATIONS = _words("""
    accountant actress analyst architect artist astronaut athlete attorney barrister broker butcher captain chef chief
    clerk coach consul cook dean dentist detective diplomat doctor economist farmhand guide judge lieutenant major
    mathematician mechanic midwife miner monk nun nurse pharmacist physician physicist pilot plumber poet
    politician pope priest prince princess professor rabbi sailor scholar scientist secretary senator sergeant spy
    student surgeon tailor technician vet veterinarian vicar waitress
""")
# Words that end as occupations do, and are none.
NO_OCCUPATIONS = _words("""
    after another better brother character chapter corner center danger daughter december dinner either elder ever
    father favour fewer figure former gender greater her higher human inner latter later lesser letter longer lower
    matter member minor mother never november number october older order other outer over owner paper partner
    power rather river senior september sister smaller stronger summer super together under upper water weather
    whether whichever winner winter woman younger german roman norman russian italian canadian australian victorian
    christian persian indian man neighbor exist list persist consist
""")
ROLES = _words("""
    user assistant system human bot tool note notes todo example examples warning question answer summary from to
    subject date re fwd cc bcc usage returns args raises yields step a q
""")


def guessed_language(text: str) -> str:
    """Return the code of the language that a text is most likely in, or `other`.

    A text in ASCII with hardly any frequent word, such as a list of names, counts as English.

    >>> guessed_language("The owl is a bird of the night"), guessed_language("Die Eule ist ein Vogel der Nacht")
    ('en', 'de')
    >>> guessed_language("Сова — птица ночи"), guessed_language("Ada Lovelace")
    ('other', 'en')
    """
    words = _LETTERS.findall(text[:_READ_CHARS].lower())
    letters = "".join(words)
    if letters and sum(letter > "\x7f" for letter in letters) > _MOST_FOREIGN * len(letters):
        return "other"
    counts = {language: sum(word in frequent for word in words) for language, frequent in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])  # the first of equals, English before all
    if counts[best] >= _LEAST_FREQUENT or (best == "en" and counts[best]):
        return best
    return "en" if letters.isascii() else "other"
