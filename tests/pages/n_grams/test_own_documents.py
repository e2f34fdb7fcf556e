"""The part on a visitor's own documents: they are counted, named and forgotten; what cannot be read changes nothing."""

import pytest

from lm_core.experiments.n_grams.documents import Documents, split
from pages.n_grams import own_documents
from tests.pages.visits import shows, text, visit

PAGE = "pages/n_grams/page.py"
CAT = ("cat.txt", ("Кошка спит на диване. " * 9).encode("cp1251"), "text/plain")
DOG = ("<b>dog</b>.txt", ("Собака спит в саду. " * 9).encode(), "text/plain")


def test_documents_in_another_script_are_counted_named_and_forgotten():
    app = visit(PAGE, part="Your documents")
    assert not app.exception
    assert shows(app, "In", "of the steps only one of the words ever came next")
    app.get("file_uploader")[0].set_value([CAT, DOG])
    app.button(key="documents_use").click().run()
    assert "cat.txt: the encoding of this text could not be recognised" in app.error[0].value
    app.selectbox(key="documents_encoding").set_value("cp1251")
    app.get("file_uploader")[0].set_value([CAT])
    app.text_area(key="documents_pasted").set_value(DOG[1].decode())
    app.button(key="documents_use").click().run()
    assert not app.exception
    assert not app.error
    assert shows(
        app, "Read as 2 documents, 90 words and signs, 8 different ones. cat.txt is in Windows-1251"
    )
    app.segmented_control(key="document_unit").set_value("characters").run()
    assert shows(app, "Read as 2 documents, 378 characters")
    app.button(key="documents_forget").click().run()
    assert not app.exception
    assert not shows(app, "Read as")


def test_what_cannot_be_seen_is_left_out_of_documents_on_request():
    app = visit(PAGE, part="Your documents")
    app.text_area(key="documents_pasted").set_value("The\u200b cat sat. " * 20)
    app.button(key="documents_use").click().run()
    assert "20 characters cannot be seen" in text(app)
    app.text_area(key="documents_pasted").set_value("The\u200b cat sat. " * 20)
    app.checkbox(key="documents_drop_invisible").set_value(True)
    app.button(key="documents_use").click().run()
    assert "characters cannot be seen, the first" not in text(app)
    assert "characters that cannot be seen were left out" in text(app)


@pytest.mark.parametrize(
    ("beginning", "n", "seed"), [("In the", 3, 2), ("", 3, 1), ("In the", 8, 1)]
)
def test_why_a_shorter_context_is_taken_is_said_rightly(beginning, n, seed):
    # Nothing comes after the last tokens of a document, which were seen, and a new text has no long context.
    documents = Documents.read(own_documents._EXAMPLE, of_words=True)
    chosen = own_documents.Chosen(own_documents._WORDS, n, seed)
    steps = own_documents._continued(documents, beginning, chosen)
    ids, owner = documents.ids.tolist(), documents.owner.tolist()
    read = [documents.number_of[token] for token in split(beginning, of_words=True)]
    seen_or_short = 0
    for step in steps:
        context = read[len(read) - n + 1 :] if len(read) >= n - 1 else read
        is_seen = any(
            ids[i : i + n - 1] == context and owner[i] == owner[i + n - 2]
            for i in range(len(ids) - n + 2)
        )
        seen_or_short += step.n < n and (len(context) < n - 1 or is_seen)
        read.append(documents.number_of[step.symbol])
    assert seen_or_short
    explained = own_documents._explained(steps, chosen)
    assert "never seen" not in explained
    assert (
        "nothing came after the whole one in the documents, or the text was not yet as long"
        in explained
    )
