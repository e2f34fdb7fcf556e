"""The corpora that the lab knows: one record each, and nothing else.

One record describes one file, so a corpus of several files is several records with a common
prefix: ``wikitext-2/train``, ``wikitext-2/valid``. Beside War and Peace there are the books and word
lists that word vectors are trained on, and judged by, and the captions that translation learns from.
"""

from dataclasses import dataclass

from lm_core.errors import SettingError

_TOLERANCE = 0.1  # another edition's length may differ by so much


@dataclass(frozen=True)
class Signs:
    """What any edition of a text shows, however its bytes differ from the recorded ones."""

    phrases: tuple[str, ...]
    """Each appears somewhere in the text; upper and lower case are the same."""
    shortest: int
    longest: int
    """`shortest` and `longest`: bounds of its length in characters."""


@dataclass(frozen=True)
class Corpus:
    """What is known about a corpus file without opening it."""

    name: str
    title: str
    edition: str
    """`name`, `title` and `edition`: for the command line, for people, and which text it is
    exactly."""
    path: str
    """Where it lies below a data folder."""
    address: str
    """Public address to download it from."""
    licence: str
    size_bytes: int
    """Length of the recorded file."""
    sha256: str
    """Hash of the recorded file."""
    signs: Signs | None = None
    """How another edition is recognised; None where only the recorded file will do."""


WAR_AND_PEACE = Corpus(
    name="war-and-peace",
    title="War and Peace",
    edition="Leo Tolstoy, translated by Louise and Aylmer Maude; Project Gutenberg #2600, 2016",
    path="war_and_peace.txt",
    address="https://www.gutenberg.org/files/2600/2600-0.txt",
    licence="public domain in the United States",
    size_bytes=3_292_505,
    sha256="3bb73e3f3bdc6b5e46f8ad49f750cc84883d96701d1057e2446b1d27cf8d974c",
    signs=Signs(("title: war and peace", "*** end of th"), 3_000_000, 3_600_000),
)


def _book(file: str, number: int, title: str, author: str, size_bytes: int, sha256: str) -> Corpus:
    return Corpus(
        name=f"gutenberg/{file}",
        title=title,
        edition=f"{author}; Project Gutenberg #{number}",
        path=f"gutenberg/{file}.txt",
        address=f"https://www.gutenberg.org/ebooks/{number}.txt.utf-8",
        licence="public domain in the United States",
        size_bytes=size_bytes,
        sha256=sha256,
        signs=Signs(
            (title.lower(), "project gutenberg"),
            int(size_bytes * (1 - 2 * _TOLERANCE)),  # characters of two bytes are counted once
            int(size_bytes * (1 + _TOLERANCE)),
        ),
    )


# fmt: off
BOOKS = (
    _book("autobiography_of_benjamin_franklin", 20203, "Autobiography of Benjamin Franklin", "Benjamin Franklin", 458_619, "a59a5613f1dd4fc3df3a9017bc278f3b7e6fcc161279a7c83140624fdf775800"),
    _book("christmas_carol", 46, "A Christmas Carol", "Charles Dickens", 177_761, "820a8aa531461c62738055688fd02d2e1a290924e585bd38ad9e18c80b54e7da"),
    _book("common_sense", 147, "Common Sense", "Thomas Paine", 145_481, "bc3c735d03c71c96be0194c0f489e654827f83cbf023f813d8054974d2613272"),
    _book("count_of_monte_cristo", 1184, "The Count of Monte Cristo", "Alexandre Dumas, père", 2_709_836, "c0ddd676dee0a0c55525ffd96ff3923ed83cabe3b2733538983f84651f90908c"),
    _book("dolls_house", 2542, "A Doll's House", 'Henrik Ibsen', 161_243, "0e959951c800bf808e018cd5924e502ee7758aa5031f8021943f0530be619c98"),
    _book("dracula", 345, "Dracula", "Bram Stoker", 867_187, "cd9cf385c07aec8c40b7ae91bf3f3f05b896d3b89fcd8fa011ebf8a87600b70b"),
    _book("dubliners", 2814, "Dubliners", "James Joyce", 396_617, "5d85658e92cee01590bf72905717947939fdae74650a5962db861d24f643cd58"),
    _book("emma", 158, "Emma", "Jane Austen", 913_280, "6a053712e29925d6d275db9e6ab708f3feb42f83ef9ed91b75cea153904b7141"),
    _book("essays_of_montaigne", 3600, "The Essays of Montaigne, Complete", "Michel de Montaigne", 3_053_073, "afe9921eb1f424497c88ca676d5a05a06d6f1ae272d2cc7432d9f15ad3167542"),
    _book("great_expectations", 1400, "Great Expectations", "Charles Dickens", 1_034_604, "fa0a4e0799afe55beb17cf67891ce70037c009274f33d6c9cc732d79907e7128"),
    _book("grimms_fairy_tales", 2591, "Grimms’ Fairy Tales", "The Brothers Grimm", 550_595, "e6439bd511820742e842e21b75e89b394d3809eec82ca56b506c39ff39d4a7d6"),
    _book("heart_of_darkness", 219, "Heart of Darkness", "Joseph Conrad", 232_690, "c61ecf4dd46a8997d57a0f80d398ddc7f0ad111bc96c8bc7d7a74f69e7943168"),
    _book("huckleberry_finn", 76, "Adventures of Huckleberry Finn, Complete", "Mark Twain (Samuel Clemens)", 615_200, "8a097cadeee04aed14a9edd481061849fa926f06aa7249c2aa1e915f3c29101b"),
    _book("importance_of_being_earnest", 844, "The Importance of Being Earnest", "Oscar Wilde", 138_889, "a32c7b9e9d2a5f5bcf4a67a4a092a03bb1bcb7b2fb64acc4b65ab571b7c7fe02"),
    _book("jungle_book", 236, "The Jungle Book", "Rudyard Kipling", 298_571, "023df58a6feb7e6057e538e76d9928f593110e72221781c2e00c443571653b2a"),
    _book("les_miserables", 135, "Les Misérables", "Victor Hugo", 3_256_671, "8c341daf5c2f6c415b3b3b9211f201c5abf892bea409fb70cd2bc90b8cbde116"),
    _book("leviathan", 3207, "Leviathan", "Thomas Hobbes", 1_231_786, "03473f6022d94c639793cadde88a9421138f785bc7169a9eaf726002bf52cd40"),
    _book("metamorphosis", 5200, "Metamorphosis", "Franz Kafka", 139_057, "5f25ac166caf123be2dbb7c654d3b5cb93afb78bc381459b596621e0685e9cef"),
    _book("moby_dick", 2701, "Moby Dick; or The Whale", "Herman Melville", 1_254_139, "9af138ea14ac0ea678a1fe61220cbed1de53faacabe25508ac6c17176cc6aa0e"),
    _book("narrative_of_frederick_douglass", 23, "The Narrative of the Life of Frederick Douglass", "Frederick Douglass", 244_265, "85dd522592112670e3447ad80220c8bfec15d942cb6225cf68d226b6bacc5010"),
    _book("peter_pan", 16, "Peter Pan", "James M. Barrie", 285_277, "06a19a209a7a6e8934314c34c5d0f7409b0063ed51b5ddeebcb00e9065cdddaf"),
    _book("picture_of_dorian_gray", 174, "The Picture of Dorian Gray", "Oscar Wilde", 453_171, "281e8db4ffdd686636ff7668dc16617181229d8f1a68dddb60a8f5c08ec1b892"),
    _book("scarlet_letter", 33, "The Scarlet Letter", "Nathaniel Hawthorne", 506_973, "2eaf23e603f3c9d6cbcf77fecdfdb18d08b76a0d91f2a48c7365c57018c2ebd0"),
    _book("sense_and_sensibility", 161, "Sense and Sensibility", "Jane Austen", 693_097, "5f5a78e0e343b11eec3c6ebe346cd7587ef785873538f2e5bcabcb08345f6b41"),
    _book("study_in_scarlet", 244, "A Study In Scarlet", "Arthur Conan Doyle", 267_121, "73c99fa3c84770b559bc392f30608c10507dbeb4bab545b0e8b1aef7c96db7be"),
    _book("tale_of_two_cities", 98, "A Tale of Two Cities", "Charles Dickens", 790_606, "f4ca1a3f49439fbeb28a61e3d578a2629b3549804cb99c81ebd95bf5f3fc1c7a"),
    _book("the_prince", 1232, "The Prince", "Nicolo Machiavelli", 300_787, "41467158172d49b38f328a2c375ead0051d75d5d6d990f8f9e5a9275d9435a0c"),
    _book("the_republic", 1497, "The Republic", "Plato", 1_214_389, "c655df1e43df7bdafca0062c5be7a4843969459298e297f20f35d8db6255e958"),
    _book("time_machine", 35, "The Time Machine", "H. G. (Herbert George) Wells", 198_283, "3d6c4dcd80bd0fb8331a20a2aee33cb52596ba2b00cbd65400e64550f5e9f8f2"),
    _book("tom_sawyer", 74, "The Adventures of Tom Sawyer, Complete", "Mark Twain (Samuel Clemens)", 418_270, "84b03c004fd5b9623b9f437df9567a1b15617e1ee52118c2539b97ad4115a0b8"),
    _book("treasure_island", 120, "Treasure Island", "Robert Louis Stevenson", 383_677, "bc827c9f1f8edde62cadf82eadec48280daf89c38d2f3a7c837404d9e13aa53a"),
    _book("wuthering_heights", 768, "Wuthering Heights", "Emily Bronte", 669_151, "67b621c150c5bfee5fed7cec2960ab5c4b2251725e2b5ff629a179e4797272fb"),
)
# fmt: on

BROWN = Corpus(
    name="brown",
    title="Brown corpus",
    edition="500 American texts of 1961 with their parts of speech, Francis & Kucera; from NLTK",
    path="brown/brown.zip",
    address="https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora/brown.zip",
    licence="may be handed on, not for profit",
    size_bytes=3_314_357,
    sha256="9b275f9b3b95d7bd66ccfb7cd259f445a13bbe5d1f4107aba09fd3e8364bafa6",
)


def _wikitext(part: str, size_bytes: int, sha256: str, signs: Signs | None = None) -> Corpus:
    return Corpus(
        name=f"wikitext-2/{part}",
        title=f"WikiText-2, {part}",
        edition="Articles of Wikipedia in words, rare ones as <unk>; Merity et al. 2016",
        path=f"wikitext-2/{part}.txt",
        address="https://raw.githubusercontent.com/pytorch/examples/main/word_language_model/data/"
        f"wikitext-2/{part}.txt",
        licence="CC BY-SA",
        size_bytes=size_bytes,
        sha256=sha256,
        signs=signs,
    )


WIKITEXT_2 = (
    # The training part's hash was never recorded here: it is recognised by its signs alone.
    _wikitext(
        "train",
        10_800_000,
        "",
        Signs((" = valkyria chronicles iii = ", "<unk>"), 10_000_000, 11_500_000),
    ),
    _wikitext(
        "valid", 1_121_681, "f0737ed31fc1329026e95cb8b98e19c2a182c39c240ab909dc31abf2f8af58e8"
    ),
    _wikitext(
        "test", 1_256_449, "d790b833ef8cf03a90db7bf1271b7520b83c45ce07ba3c1a9699df81e239eca0"
    ),
)


def _pairs(file: str, title: str, size_bytes: int, sha256: str) -> Corpus:
    return Corpus(
        name=f"word-similarity/{file}",
        title=title,
        edition="pairs of words with a score from people; from mfaruqui/eval-word-vectors",
        path=f"word-similarity/EN-{file}.txt",
        address="https://raw.githubusercontent.com/mfaruqui/eval-word-vectors/master/data/word-sim/"
        f"EN-{file}.txt",
        licence="public research data",
        size_bytes=size_bytes,
        sha256=sha256,
    )


WORD_PAIRS = (
    _pairs(
        "WS-353-ALL",
        "WordSim-353",
        7_405,
        "ce12919b240af45bdf46d243601eaca2b6212b159b5e7e9b435ee7ee40c5619c",
    ),
    _pairs(
        "SIMLEX-999",
        "SimLex-999",
        18_024,
        "405394ffb7d25f6d0e3c041f87c9f27d29dc6b047506769953e85c4523b11685",
    ),
)


def _multi30k(part: str, language: str, size_bytes: int, sha256: str) -> Corpus:
    file = f"{part}.{language}.gz"
    return Corpus(
        name=f"multi30k/{part}.{language}",
        title=f"Multi30k, {part}, {'English' if language == 'en' else 'French'}",
        edition="Captions of photographs, a sentence a line; Elliott et al. 2016, 2017",
        path=f"multi30k/{file}",
        address=f"https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/{file}",
        licence="for research: captions of Flickr30k and their translations",
        size_bytes=size_bytes,
        sha256=sha256,
    )


# fmt: off
MULTI30K = (
    _multi30k("train", "en", 568_929, "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f"),
    _multi30k("train", "fr", 604_242, "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c"),
    _multi30k("val", "en", 21_650, "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28"),
    _multi30k("val", "fr", 23_001, "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9"),
    _multi30k("test_2016_flickr", "en", 21_077, "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9"),
    _multi30k("test_2016_flickr", "fr", 22_310, "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90"),
)
# fmt: on

NAMES = Corpus(
    name="names",
    title="Given names",
    edition="32,033 names, one a line; from karpathy/makemore",
    path="names.txt",
    address="https://raw.githubusercontent.com/karpathy/makemore/master/names.txt",
    licence="MIT",
    size_bytes=228_145,
    sha256="0a30b5557f192f32ab962680889aac5f6fda0f4cecf40a6d0b5694f58ea8cc4d",
)

CORPORA = {
    corpus.name: corpus
    for corpus in (WAR_AND_PEACE, *BOOKS, BROWN, *WIKITEXT_2, *WORD_PAIRS, *MULTI30K, NAMES)
}


CONDITIONS = {
    "multi30k": "Multi30k is given for research",
    "brown": "the Brown corpus may be handed on, but not for profit",
}
"""What those who made a corpus ask of its users, by its name or the prefix of its files' names."""


def conditions_of(name: str) -> str:
    """Return what weights that were trained on a corpus are offered under; empty where nothing is asked.

    Examples
    --------
    >>> conditions_of("multi30k")
    'Multi30k is given for research: ask whether that covers what you do with these weights.'
    >>> conditions_of("war-and-peace")
    ''
    """
    asked = CONDITIONS.get(name.split("/")[0])
    return f"{asked}: ask whether that covers what you do with these weights." if asked else ""


def is_in_catalogue(name: str) -> bool:
    """Return whether a name is that of a corpus, be it one file or several with that prefix.

    Examples
    --------
    >>> [is_in_catalogue(name) for name in ("names", "multi30k", "a pasted text")]
    [True, True, False]
    """
    return any(known == name or known.startswith(f"{name}/") for known in CORPORA)


def corpus_named(name: str) -> Corpus:
    """Return the record of that name; raises SettingError if there is none."""
    if name not in CORPORA:
        raise SettingError(f"corpus must be one of {sorted(CORPORA)}, got {name!r}")
    return CORPORA[name]
