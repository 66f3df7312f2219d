import json
from pathlib import Path

import pytest

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.registry import read

PICTURE = "iVBORw0KGgoAAAANSUhEUgAA" * 400


def notebook(*cells, **others):
    return json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": 5, "metadata": {}, **others})


def markdown(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(source, *outputs):
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": list(outputs), "execution_count": 1}


def printed(text):
    return {"output_type": "stream", "name": "stdout", "text": text}


def result(**forms):
    data = {kind.replace("_", "/"): value for kind, value in forms.items()}
    return {"output_type": "execute_result", "data": data, "metadata": {}}


def one(content, options=SplitOptions()):  # noqa: B008  frozen
    data = content.encode() if isinstance(content, str) else content
    (document,) = read(Path("bees.ipynb"), options=options, data=data)
    return document


def texts(content):
    return [passage.text for passage in one(content).passages]


def test_each_cell_is_a_passage_with_what_it_printed():
    document = one(
        notebook(
            markdown(["# Hives\n", "We weigh them."]),
            code("mean(weights)", printed(["mean weight\n", "31.5 kg\n"])),
            markdown("## Losses\n\nTwo hives died."),
            code("print('x')"),
        )
    )
    assert document.title == "Hives"
    assert [(p.text, p.headings) for p in document.passages] == [
        ("# Hives\nWe weigh them.", ("Hives",)),
        ("mean(weights)\n\nmean weight\n31.5 kg", ("Hives",)),
        ("## Losses\n\nTwo hives died.", ("Hives", "Losses")),
        ("print('x')", ("Hives", "Losses")),
    ]
    assert [(p.start_line, p.end_line) for p in document.passages] == [(1, 2), (4, 7), (9, 11), (13, 13)]


def test_a_cell_that_is_only_a_heading_begins_the_next_passage():
    cells = [markdown("# Hives"), markdown("## In spring"), code("open(hive)"), markdown("# End")]
    document = one(notebook(*cells))
    assert [(p.text, p.headings) for p in document.passages] == [
        ("# Hives\n\n## In spring\n\nopen(hive)", ("Hives", "In spring")),
        ("# End", ("End",)),
    ]


def test_pictures_are_left_out_and_what_stands_beside_them_stays():
    figure = {"text/plain": ["<Figure size 640x480 with 1 Axes>"], "image/png": PICTURE}
    shown = {"output_type": "display_data", "metadata": {}, "data": figure}
    plot = code("plot(weights)", printed("drawn\n"), shown)
    drawn = markdown(f"The scale ![a scale](data:image/png;base64,{PICTURE}) was new.")
    assert texts(notebook(plot, drawn)) == ["plot(weights)\n\ndrawn", "The scale ![a scale]() was new."]


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (result(text_plain="   kg\n0  31", text_html="<table><tr><td>31</td></tr></table>"), "   kg\n0  31"),
        (
            result(
                text_plain="<IPython.core.display.HTML object>", text_html="<p>31 <b>kilos</b></p><script>1</script>"
            ),
            "31 kilos",
        ),
        (result(text_plain="<Hive 7>"), "<Hive 7>"),
        (result(text_plain=PICTURE[:0], image_png=PICTURE), None),
        (printed("10%\r60%\rdone\n\x1b[31mred\x1b[0m\n"), "done\nred"),
        (
            {
                "output_type": "error",
                "ename": "KeyError",
                "evalue": "'bee'",
                "traceback": ["\x1b[0;31mKeyError\x1b[0m: 'bee'"],
            },
            "KeyError: 'bee'",
        ),
        ({"output_type": "error", "ename": "KeyError", "evalue": "'bee'", "traceback": []}, "KeyError: 'bee'"),
    ],
)
def test_an_output_is_what_a_page_without_pictures_shows(output, text):
    assert texts(notebook(code("run()", output))) == ["run()" if text is None else f"run()\n\n{text}"]


def test_a_notebook_of_version_3_is_read():
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Old hives"]},
        {"cell_type": "code", "input": ["weigh()"], "outputs": [{"output_type": "pyout", "text": ["31"]}]},
    ]
    document = one(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))
    assert [(p.text, p.headings) for p in document.passages] == [("## Old hives\n\nweigh()\n\n31", ("Old hives",))]


def test_a_long_cell_is_split_and_its_output_stands_apart():
    source = "\n\n".join(f"def weigh_{n}():\n    return {n} * kilos  # of hive number {n}" for n in range(60))
    lines = "".join(f"hive {n} weighs {n} kg\n" for n in range(100))
    document = one(notebook(code(source, printed(lines)), metadata={"language_info": {"name": "python"}}))
    assert all(len(p.text) <= 1200 for p in document.passages)
    starts = [p for p in document.passages if p.text.startswith(("def ", "hive "))]
    assert len(starts) == len(document.passages) > 3
    joined = "\n".join(p.text for p in document.passages)
    assert all(f"weigh_{n}()" in joined and f"hive {n} weighs" in joined for n in range(60))
    assert not any("def weigh_59" in p.text and "hive 0 weighs" in p.text for p in document.passages)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"cells": 3}', b"not a notebook"])
def test_a_broken_notebook_is_refused_with_a_reason(content):
    with pytest.raises(UnreadableDocument, match=r"bees\.ipynb is not a readable notebook"):
        one(content)


@pytest.mark.parametrize(
    "cell", [3, {}, {"cell_type": "code", "source": 4, "outputs": "x"}, code([None], {"output_type": 5, "data": []})]
)
def test_odd_cells_are_left_out_and_the_others_are_read(cell):
    assert texts(notebook(cell, markdown("Bees fly."))) == ["Bees fly."]


def test_an_empty_notebook_has_no_passages():
    assert texts(b"") == texts(notebook()) == []
