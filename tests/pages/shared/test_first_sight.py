"""What a page is told to load early exists, is what Streamlit will ask for, and is served under that name."""

import hashlib
import re

from streamlit.proto.AppPage_pb2 import AppPage
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg, ForwardMsgMetadata
from streamlit.proto.Navigation_pb2 import Navigation

from pages.shared.server import first_sight
from pages.shared.server.compressed_files import CompressedCopies
from pages.shared.server.fonts import FACES
from pages.shared.server.streamlit_inside.front_end_files import early_scripts, inline_script_hashes
from pages.shared.server.streamlit_inside.reliances import PARTS
from tests.make_fonts import STATIC

PAGE = (STATIC.parent / "index.html").read_text(encoding="utf-8")
LINKED = re.compile(r'(?:href|src)="\./([^"]+)"|url\(\./([^)]+)\)')


def linked():
    return {a or b for a, b in LINKED.findall(first_sight.with_first_sight(PAGE))}


def test_all_that_a_page_is_told_to_load_is_served():
    folders = ("static/", "lab-files/")
    named = {name for name in linked() if name.startswith(folders)}
    assert len(named) > 100
    assert named <= first_sight.served_files().keys()
    assert set(first_sight.ahead()) <= first_sight.served_files().keys()


def test_streamlits_whole_font_is_not_loaded_early_and_ours_are():
    page = first_sight.with_first_sight(PAGE)
    fonts_told = re.compile(r'rel="preload"\s+href="\./([^"]+)"\s+as="font"')
    assert "SourceSans" in fonts_told.findall(PAGE)[0]
    preloaded = fonts_told.findall(page)
    shapes = [name.partition("/")[2].partition(".")[0] for name in preloaded]
    assert shapes == ["sans", "headings", "icons"], (
        "what the first sight of every page is written in"
    )


def test_streamlits_style_sheet_is_whole_but_for_the_fonts_that_ours_take_the_place_of():
    (theirs,) = (STATIC / "css").glob("index.*.css")
    served = first_sight.served_files()[f"static/css/{theirs.name}"]().decode()
    gone = set(theirs.read_text(encoding="utf-8").split("}")) - set(served.split("}"))
    assert len(gone) == len(FACES)
    assert all(any(f"/{face.original}." in rule for face in FACES) for rule in gone)


def test_the_scripts_that_the_page_names_are_the_first_ones_and_no_other_is_told_twice():
    first, parts = early_scripts()
    assert set(first) == {name for name in LINKED_SCRIPTS if name in PAGE}
    assert not set(first) & set(parts)
    for part in PARTS:
        assert any(f"/{part}." in name for name in parts)


def test_the_script_that_lets_the_picture_come_first_knows_streamlits_messages():
    script = first_sight.own_files()["picture_first.js"][1].decode()
    message, menu = ForwardMsg.DESCRIPTOR.fields_by_name, Navigation.DESCRIPTOR.fields_by_name
    answers = ("file_urls_response", "heartbeat_ack", "backend_operation_response")
    assert f"ANSWERS = {[message[name].number for name in answers]} " in script
    fields = (
        message["metadata"],
        message["script_finished"],
        message["ref_hash"],
        message["navigation"],
        menu["app_pages"],
    )
    assert f"= {[field.number for field in fields]} " in script
    delta, element = Delta.DESCRIPTOR.fields_by_name, Element.DESCRIPTOR.fields_by_name
    chart = (message["delta"], delta["new_element"], element["vega_lite_chart"])
    assert f"CHART = {[field.number for field in chart]} " in script
    block = (message["delta"], delta["add_block"])
    assert f"BLOCK = {[field.number for field in block]} " in script
    hidden = AppPage.DESCRIPTOR.fields_by_name["is_hidden"].number
    assert f"IS_HIDDEN = {hidden} << 3 " in script
    assert ForwardMsgMetadata.DESCRIPTOR.fields_by_name["cacheable"].number == 1
    assert ForwardMsgMetadata.DESCRIPTOR.fields_by_name["delta_path"].number == 2


LINKED_SCRIPTS = {name for name in first_sight.served_files() if name.endswith(".js")}


def test_a_file_that_changes_gets_another_name():
    for name, (served, content) in first_sight.own_files().items():
        mark = hashlib.sha256(content).hexdigest()[:12]
        stem, suffix = name.split(".")
        assert served == f"lab-files/{stem}.{mark}.{suffix}"


def test_no_script_within_the_page_is_added_that_the_policy_would_refuse():
    inline = re.findall(r"<script>", first_sight.with_first_sight(PAGE))
    assert len(inline) == len(inline_script_hashes())


def test_all_that_first_visitors_ask_for_fits_into_the_memory_it_may_fill():
    copies = CompressedCopies(first_sight.served_files())
    for name in first_sight.ahead():
        encoding, copy = copies.best(name, {"gzip"})
        assert encoding or len(copy.body) < 200, name  # a line of code cannot be made shorter
