"""The reading process: status of good and bad files, limits, crashes, cancelling, drawing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pymupdf
import pytest

from minerva_desktop.documents import Limits, ReaderPool, media_type, read_document
from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken, Progress

TEXT = "The transition temperature of the film is 39 K. It was measured in zero field."
SLOW_DEPTH = 40


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    with ReaderPool(Limits(seconds=60)) as shared:
        yield shared


def write_pdf(path: Path, *texts: str, **options: object) -> Path:
    file = pymupdf.open()
    for text in texts:
        page = file.new_page()
        if text:
            page.insert_text((60, 100), text, fontsize=10)
    file.save(path, **options)
    file.close()
    return path


def hanging_pdf(path: Path, pages: int = 1, slow: int = 1) -> Path:
    """A valid PDF that no reader gets through: on page ``slow`` forms call the next form twice, forty levels deep."""
    objects: list[bytes] = [b"<</Type/Catalog/Pages 2 0 R>>", b""]
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects.append(font)
    kids = []
    for number in range(1, pages + 1):
        content = b"BT /F 10 Tf 60 700 Td (Page %d of the file is here and has a sentence.) Tj ET" % number
        resources = b"<</Font<</F 3 0 R>>"
        if number == slow:
            content += b" /X Do"
            resources += b"/XObject<</X %d 0 R>>" % (100)
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(content), content))
        stream = len(objects)
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources %s>>>>"
        objects.append(page % (stream, resources))
        kids.append(len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, b" ".join(b"%d 0 R" % kid for kid in kids))
    numbered = dict(enumerate(objects, 1))
    for level in range(SLOW_DEPTH):
        content = b"/Y Do /Y Do" if level < SLOW_DEPTH - 1 else b"BT /F 10 Tf (x) Tj ET"
        inner = b"/XObject<</Y %d 0 R>>" % (101 + level) if level < SLOW_DEPTH - 1 else b""
        numbered[100 + level] = (
            b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 3 0 R>>%s>>/Length %d>>stream\n%s\nendstream"
            % (inner, len(content), content)
        )
    out = b"%PDF-1.7\n"
    offsets = {}
    for number, data in sorted(numbered.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, data)
    start = len(out)
    last = max(numbered)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (last + 1)
    for number in range(1, last + 1):
        out += b"%010d 00000 n \n" % offsets[number] if number in offsets else b"0000000000 65535 f \n"
    out += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (last + 1, start)
    path.write_bytes(out)
    return path


# ------------------------------------------------------------------------------------------------- honest status
def test_a_good_file(pool: ReaderPool, tmp_path: Path) -> None:
    seen: list[Progress] = []
    document = pool.read(write_pdf(tmp_path / "good.pdf", TEXT, TEXT), progress=seen.append)
    assert (document.status, document.reason) == ("ok", "")
    assert len(document.pages) == 2
    assert document.sentences[0].text == "The transition temperature of the film is 39 K."
    assert [(step.done, step.total, step.unit) for step in seen] == [(1, 2, "pages"), (2, 2, "pages")]


def test_a_locked_file_asks_for_its_password(pool: ReaderPool, tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "locked.pdf", TEXT, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="own"
    )
    locked, wrong, opened = pool.read(path), pool.read(path, password="no"), pool.read(path, password="open")
    assert (locked.status, wrong.status, opened.status) == ("encrypted", "encrypted", "ok")
    assert "give the password" in locked.reason
    assert "does not open" in wrong.reason


def test_a_file_locked_against_changes_only_is_read(pool: ReaderPool, tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "owner.pdf", TEXT, encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="own")
    assert pool.read(path).status == "ok"


def test_pictures_of_pages_have_no_text_layer(pool: ReaderPool, tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 60))
    picture.clear_with(120)
    page.insert_image(page.rect, pixmap=picture)
    file.save(tmp_path / "scan.pdf")
    document = pool.read(tmp_path / "scan.pdf")
    assert document.status == "no text layer"
    assert "OCR" in document.reason
    assert document.sentences == ()


def test_a_scanned_page_among_others_is_named(pool: ReaderPool, tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page()
    page.insert_text((60, 100), TEXT, fontsize=10)
    page = file.new_page()
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 60))
    picture.clear_with(120)
    page.insert_image(page.rect, pixmap=picture)
    file.save(tmp_path / "mixed.pdf")
    document = pool.read(tmp_path / "mixed.pdf")
    assert document.status == "ok"
    assert any("page 2" in note for note in document.notes)


def test_empty_pages_and_empty_files(pool: ReaderPool, tmp_path: Path) -> None:
    assert pool.read(write_pdf(tmp_path / "blank.pdf", "", "")).status == "empty"
    (tmp_path / "zero.pdf").write_bytes(b"")
    (tmp_path / "zero.txt").write_bytes(b" \n ")
    assert pool.read(tmp_path / "zero.pdf").status == "empty"
    assert pool.read(tmp_path / "zero.txt").status == "empty"


def test_a_file_cut_short_is_damaged_and_says_what_was_saved(pool: ReaderPool, tmp_path: Path) -> None:
    data = write_pdf(tmp_path / "whole.pdf", TEXT, TEXT, TEXT).read_bytes()
    (tmp_path / "cut.pdf").write_bytes(data[: int(len(data) * 0.8)])
    cut = pool.read(tmp_path / "cut.pdf")
    assert cut.status == "damaged"
    assert cut.reason.startswith("The file is damaged")
    (tmp_path / "junk.pdf").write_bytes(b"%PDF-1.4\n" + bytes(range(256)) * 8)
    junk = pool.read(tmp_path / "junk.pdf")
    assert junk.status == "damaged"
    assert junk.sentences == ()


def test_other_files_and_missing_ones(pool: ReaderPool, tmp_path: Path) -> None:
    (tmp_path / "notes.xlsx").write_bytes(b"PK\x03\x04 and so on")
    (tmp_path / "binary.txt").write_bytes(bytes(2000))
    assert pool.read(tmp_path / "notes.xlsx").status == "unsupported"
    assert pool.read(tmp_path / "binary.txt").status == "unsupported"
    assert pool.read(tmp_path).status == "unsupported"
    missing = pool.read(tmp_path / "none.pdf")
    assert missing.status == "failed"
    assert "no file" in missing.reason


def test_a_pdf_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    assert media_type(write_pdf(tmp_path / "paper.txt", TEXT)) == "application/pdf"
    (tmp_path / "article.bin").write_bytes(b"<?xml version='1.0'?><article></article>")
    assert media_type(tmp_path / "article.bin") == "application/jats+xml"


def test_the_page_limit_is_said(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "long.pdf", TEXT, TEXT, TEXT)
    document = read_document(path, limits=Limits(pages=2))
    assert len(document.pages) == 2
    assert document.notes == ("Only the first 2 of 3 pages were read (the page limit).",)


# ------------------------------------------------------------------------------------------------ limits, crashes
def test_a_file_that_hangs_the_reader_is_given_up_and_the_next_one_is_read(tmp_path: Path) -> None:
    with ReaderPool(Limits(seconds=2)) as own:
        hung = own.read(hanging_pdf(tmp_path / "hang.pdf"))
        assert hung.status == "failed"
        assert hung.reason == "Reading was stopped at page 1: it took longer than the 2 seconds allowed."
        assert own.read(write_pdf(tmp_path / "good.pdf", TEXT)).status == "ok"


def test_a_file_that_needs_too_much_memory_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "big.pdf"
    write_pdf(path, *[TEXT] * 3)
    with ReaderPool(Limits(seconds=30, memory_mb=1)) as own:
        document = own.read(path)
    assert document.status == "failed"
    assert "memory" in document.reason


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL on Windows")
def test_a_killed_reader_costs_one_page(tmp_path: Path) -> None:
    """The process dies at page 2: the other pages are read by a new process, and the loss is said."""
    path = hanging_pdf(tmp_path / "crash.pdf", pages=3, slow=2)
    before = {child.pid for child in children()}
    with ReaderPool(Limits(seconds=50)) as own:
        mine = {child.pid for child in children()} - before
        at_page_two = threading.Event()

        def watch(step: Progress) -> None:
            if step.done == 2:
                at_page_two.set()

        def kill() -> None:
            at_page_two.wait(30)
            for pid in mine:
                os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        document = own.read(path, progress=watch)
        killer.join()
        assert own.read(write_pdf(tmp_path / "good.pdf", TEXT)).status == "ok"
    assert document.status == "damaged"
    assert document.reason == "The file is damaged; text could be saved from 2 of 3 pages."
    assert [sentence.page for sentence in document.sentences] == [1, 3]
    assert any("Page 2" in note for note in document.notes)


def test_cancelling_stops_at_once_and_the_pool_goes_on(tmp_path: Path) -> None:
    token = CancelToken()
    with ReaderPool(Limits(seconds=50)) as own:
        timer = threading.Timer(0.5, token.cancel)
        timer.start()
        begin = time.monotonic()
        with pytest.raises(Cancelled):
            own.read(hanging_pdf(tmp_path / "hang.pdf"), cancel=token)
        assert time.monotonic() - begin < 40
        timer.join()
        assert own.read(write_pdf(tmp_path / "good.pdf", TEXT)).status == "ok"


def test_several_threads_share_a_pool(tmp_path: Path) -> None:
    paths = [write_pdf(tmp_path / f"{number}.pdf", f"File {number} has one sentence.") for number in range(6)]
    results: dict[int, str] = {}
    with ReaderPool(Limits(seconds=60), workers=2) as own:
        threads = [
            threading.Thread(target=lambda n=number: results.update({n: own.read(paths[n]).text}))
            for number in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {number: f"File {number} has one sentence." for number in range(6)}


def test_closing_leaves_no_process_behind(tmp_path: Path) -> None:
    before = {child.pid for child in children()}
    with ReaderPool(Limits(), workers=2) as own:
        own.read(write_pdf(tmp_path / "good.pdf", TEXT))
        started = {child.pid for child in children()} - before
        assert started
    assert not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in started)


# ------------------------------------------------------------------------------------------------------- drawing
def test_a_page_is_drawn(pool: ReaderPool, tmp_path: Path) -> None:
    file = pymupdf.open()
    page = file.new_page(width=200, height=100)
    page.draw_rect(pymupdf.Rect(0, 0, 100, 100), color=(1, 0, 0), fill=(1, 0, 0))
    page.set_rotation(90)
    file.save(tmp_path / "red.pdf")
    image = pool.render(tmp_path / "red.pdf", 1, 2.0)
    assert (image.page, image.width, image.height, image.scale) == (1, 200, 400, 2.0)
    assert len(image.rgb) == 200 * 400 * 3
    assert image.rgb[:3] == b"\xff\x00\x00"  # the left half has become the top
    assert image.rgb[-3:] == b"\xff\xff\xff"


def test_a_huge_page_is_drawn_smaller(pool: ReaderPool, tmp_path: Path) -> None:
    file = pymupdf.open()
    file.new_page(width=14_000, height=14_000)
    file.save(tmp_path / "huge.pdf")
    image = pool.render(tmp_path / "huge.pdf", 1, 4.0)
    assert image.width * image.height <= 25_000_000
    assert image.scale < 1


def test_drawing_a_page_that_is_not_there(pool: ReaderPool, tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "one.pdf", TEXT)
    with pytest.raises(MinervaError, match="no page 7"):
        pool.render(path, 7)


def test_a_page_that_cannot_be_drawn_in_time(tmp_path: Path) -> None:
    path = hanging_pdf(tmp_path / "hang.pdf")
    with ReaderPool(Limits(seconds=2)) as own:
        with pytest.raises(MinervaError, match="took too long"):
            own.render(path, 1)
        assert own.render(write_pdf(tmp_path / "good.pdf", TEXT), 1).width > 0
