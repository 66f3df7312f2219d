from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.readers.registry import read

ARTICLE = "<h1>Salt roads</h1><p>Salt went inland on mules, two days from the coast.</p>"
TEXT = "Salt roads\n\nSalt went inland on mules, two days from the coast."
LINKS = "".join(f'<li><a href="/{n}">Shop {n}</a></li>' for n in range(20))


def text_of(page, options=SplitOptions()):  # noqa: B008  frozen
    (document,) = read(Path("a.html"), options=options, data=page.encode())
    return "\n\n".join(passage.text for passage in document.passages)


@pytest.mark.parametrize(
    "around",
    [
        f"<nav><ul>{LINKS}</ul></nav>",
        f'<div role="navigation">{LINKS}</div>',
        f'<ul class="main-menu">{LINKS}</ul>',
        f'<div id="sidebarLeft"><ul>{LINKS}</ul></div>',
        "<header><a href='/'>The shop</a> since 1970</header>",
        "<footer>All rights reserved. <a href='/imprint'>Imprint</a></footer>",
        "<aside>Read next: pepper</aside>",
        '<div class="cookie-banner">We use cookies. <button>Accept</button></div>',
        "<div><p>This site uses cookies to count visits.</p><button>OK</button></div>",
        "<div><p>Questo sito utilizza i cookie.</p><button>Accetta</button></div>",
        "<div><p>Ta strona korzysta z plików cookie.</p><button>OK</button></div>",
        "<div><p>Мы используем файлы cookie.</p><button>Принять</button></div>",
        "<div><p>Este site usa cookies.</p><button>Aceitar</button></div>",
        "<div><p>Deze site gebruikt cookies.</p><button>Akkoord</button></div>",
        "<div><p>Vi använder cookies.</p><button>Godkänn</button></div>",
        "<div><p>Sitede çerez kullanmaktay\u0131z.</p><button>Kabul et</button></div>",
        "<div><p>当サイトではクッキーを使用しています。</p><button>同意する</button></div>",
        "<div><p>本网站使用 Cookie。</p><button>接受</button></div>",
        "<div><p>이 사이트는 쿠키를 사용합니다.</p><button>동의</button></div>",
        '<form class="newsletter">Our letter <input name="mail"><button>Send</button></form>',
        '<div role="dialog">Please <a href="/login">log in</a></div>',
    ],
)
@pytest.mark.parametrize("frame", ["<main><article>{}</article></main>", "<article>{}</article>", "<div>{}</div>"])
def test_what_stands_around_an_article_is_left_out(around, frame):
    article = frame.format(ARTICLE)
    assert text_of(f"<body>{around}{article}</body>") == TEXT
    assert text_of(f"<body>{article}{around}</body>") == TEXT


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        ("<nav><a href='/'>Home</a></nav>", "Home"),
        ("<header><p>Closed on Mondays.</p></header>", "Closed on Mondays."),
        ("<footer>Only this.</footer>", "Only this."),
        (f"<ul>{LINKS}</ul>", "Shop 19"),
        ("<table><tr><td>Rope</td><td>4 m</td></tr></table>", "Rope 4 m"),
        (
            "<table><tr><th>Ware</th><th>Coins</th></tr><tr><td>Oil</td><td>4</td></tr></table>",
            "Ware | Coins\nOil | 4",
        ),
        ("Just words", "Just words"),
        ("<form><p>The whole page is in a form, as some servers write it.</p><button>Go</button></form>", "whole page"),
        ('<div class="cookie-recipe"><h1>Oat cookies</h1><p>Use butter.</p></div>', "Use butter."),
        ("<div><p>Oat cookies keep for a week.</p><button>Print</button></div>", "Oat cookies"),
        ("<div><p>Tarta con cookies de avena.</p><button>Imprimir</button></div>", "cookies de avena"),
        (f"<header><h1>Salt roads</h1></header><p>{'Mules. ' * 40}</p>", "Salt roads"),
        ("<article><header><h1>Salt</h1></header><p>Mules.</p><footer>1: a note</footer></article>", "1: a note"),
        (f"<article>{ARTICLE}<aside><p>Mules eat hay.</p></aside></article>", "Mules eat hay."),
        ('<div class="menu"><h2>Today</h2><p>Soup 5</p></div><p>Open until nine.</p>', "Soup 5"),
        (f"<main>{ARTICLE}<ul>{LINKS}</ul></main>", "Shop 7"),
        (f"<p>{'Before the main part. ' * 9}</p><main><p>Main part.</p></main>", "Before the main part."),
    ],
)
def test_no_text_of_an_article_is_lost(page, kept):
    assert kept in text_of(f"<body>{page}</body>")


def test_a_long_table_of_a_page_names_its_columns_in_each_passage():
    rows = "".join(f"<tr><td>Ware {n}</td><td>{n}<br>coins</td><td>H<sub>2</sub>O</td></tr>" for n in range(60))
    page = f"<h2>Prices</h2><table><tr><th>Ware</th><th>Price</th><th>Of</th></tr>{rows}</table>"
    (document,) = read(Path("a.html"), options=SplitOptions(max_chars=300), data=page.encode())
    first, *others = document.passages
    assert first.text.startswith("Prices\n\nWare | Price | Of\nWare 0 | 0 coins | H2O\n")
    assert all(p.text.startswith("Ware | Price | Of\nWare ") and p.headings == ("Prices",) for p in others)


SENTENCES = [f"Sentence number {n} tells of mules." for n in range(12)]


@given(
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=12, unique=True),
    st.lists(st.sampled_from(["div", "section", "p", "blockquote", "ul", "aside", "figure"]), min_size=1, max_size=12),
    st.sampled_from(["main", "article"]),
)
def test_every_sentence_of_an_article_is_kept_whatever_it_is_in(sentences, tags, frame):
    parts = "".join(
        f'<{tags[n % len(tags)]} class="x{n}">{sentence}</{tags[n % len(tags)]}>'
        for n, sentence in enumerate(sentences)
    )
    text = text_of(f"<body><nav>{LINKS}</nav><{frame}>{parts}</{frame}><footer>Imprint</footer></body>")
    assert all(sentence in text for sentence in sentences)
    assert "Shop" not in text
