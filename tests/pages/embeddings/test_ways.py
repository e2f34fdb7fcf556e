"""Below the neighbours: a way from word to word, and sentences found by their mean vectors."""

from tests.pages.visits import shows, text, visit

PAGE = "pages/embeddings/page.py"


def arrive(**asked):
    return visit(PAGE, part="Neighbours", **asked)


def tables(app, column):
    return [table.value for table in app.dataframe if column in table.value]


def test_a_way_leads_from_the_word_to_the_other():
    app = arrive(word="king", other="tea")
    (steps,) = tables(app, "from")
    assert steps["from"].tolist()[0] == "king"
    assert steps["to"].tolist()[-1] == "tea"
    assert steps["from"].tolist()[1:] == steps["to"].tolist()[:-1]
    lowest = min(map(float, steps["cosine"]))
    assert shows(app, "the lowest of a step is", lowest)
    app.get_by_key("other").set_value("samovar").run()
    assert not tables(app, "from")
    assert any("among the 5,000 most frequent" in info.value for info in app.info)


def test_sentences_are_found_by_what_their_words_keep_company_with():
    app = arrive()
    (found,) = tables(app, "sentence")
    assert len(found) == 8
    assert "soldiers" in found["sentence"][0]
    bitten = found[found["sentence"].str.contains("bit")]
    assert bitten["cosine"].nunique() == 1
    app.get_by_key("search_for").set_value("bread and tea, xyzzy").run()
    (found,) = tables(app, "sentence")
    assert "tea" in found["sentence"][0]
    assert shows(app, "No vector: xyzzy")
    app.get_by_key("search_sentences").set_value("The king wept.\n日本\nBread is good.").run()
    (found,) = tables(app, "sentence")
    assert "Bread" in found["sentence"][0]
    assert "1 sentence has no word with a vector" in text(app)


def test_what_cannot_be_searched_is_said():
    app = arrive()
    app.get_by_key("search_for").set_value("xyzzy").run()
    assert any("no word of “xyzzy” has a vector" in info.value for info in app.info)
    app.get_by_key("search_for").set_value("tea").run()
    app.get_by_key("search_sentences").set_value("One.").run()
    assert any("2 to 100 different sentences" in info.value for info in app.info)
    assert not app.exception
