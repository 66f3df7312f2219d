from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage
from pathlib import Path

import pytest

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.registry import read

BERLIN = timezone(timedelta(hours=1))


def message(text="The boat is in the shed.\n", subject="Boat", **headers):
    mail = EmailMessage()
    mail["From"] = headers.pop("sender", "Ida Lund <ida@example.org>")
    mail["To"] = "Per <per@example.org>"
    mail["Subject"] = subject
    mail["Date"] = "Fri, 06 Mar 2026 18:30:00 +0100"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    if text:
        mail.set_content(text)
    return mail


def documents(data, name="a.eml"):
    return list(read(Path(name), options=SplitOptions(), data=data))


def one(mail, name="a.eml"):
    (document,) = documents(mail if isinstance(mail, bytes) else bytes(mail), name)
    return document


def mailbox(*mails):
    return b"\n".join(b"From ida@example.org Fri Mar  6 18:30:00 2026\n" + bytes(mail) + b"\n" for mail in mails)


def test_a_mail_has_its_subject_body_people_and_time():
    mail = message("Das Ruder müßte noch geölt werden.\n", "Über das Ruder", Cc="Bo Åberg <bo@example.org>")
    mail.replace_header("From", "Käthe Lund <ida@example.org>")
    document = one(mail)
    (passage,) = document.passages
    assert "Über".encode() not in bytes(mail)
    assert document.title == "Über das Ruder"
    assert document.media_type == "message/rfc822"
    assert (passage.author, passage.occurred_at) == ("Käthe Lund", datetime(2026, 3, 6, 18, 30, tzinfo=BERLIN))
    assert passage.text == (
        "Subject: Über das Ruder\nFrom: Käthe Lund <ida@example.org>\nTo: Per <per@example.org>\n"
        "Cc: Bo Åberg <bo@example.org>\nDate: Fri, 06 Mar 2026 18:30:00 +0100\n\nDas Ruder müßte noch geölt werden."
    )
    assert (passage.start_line, passage.end_line) == (1, 7)


def test_attachments_are_named_and_not_read():
    mail = message()
    mail.add_attachment(b"%PDF fake", maintype="application", subtype="pdf", filename="Riß 3.pdf")
    mail.add_attachment("secret notes", filename="notes.txt")
    (passage,) = one(mail).passages
    assert "Attachment: Riß 3.pdf\nAttachment: notes.txt\n" in passage.text
    assert "secret" not in passage.text
    assert "JVBER" not in passage.text


@pytest.mark.parametrize(
    ("plain", "page", "text"),
    [
        ("The boat leaks.\n", "<p>The boat <b>leaks</b>.</p>", "The boat leaks."),
        ("", "<style>p{}</style><p>The boat</p><p>leaks.</p>", "The boat\n\nleaks."),
        ("See HTML.\n", f"<p>{'The boat leaks. ' * 9}</p>", ("The boat leaks. " * 9).strip()),
    ],
)
def test_of_a_plain_and_an_html_text_the_one_that_says_it_is_read(plain, page, text):
    mail = message(plain or "\n")
    mail.add_alternative(page, subtype="html")
    (passage,) = one(mail).passages
    assert passage.text.partition("\n\n")[2] == text


def test_a_mail_that_is_only_html_is_read_with_its_tables():
    mail = message("")
    mail.set_content("<table><tr><td>Rope</td><td>4 m</td></tr></table>", subtype="html")
    assert "Rope 4 m" in one(mail).passages[0].text


def test_an_attached_mail_is_read_too_as_its_own_sender_wrote_it():
    inner = message("Sell the anchor.\n", "Anchor", sender="Ola <ola@example.org>")
    deeper = message("Who has the key?\n", "Key", sender="Kim <kim@example.org>")
    inner.add_attachment(deeper)
    mail = message()
    mail.add_attachment(inner)
    passages = one(mail).passages
    assert [(p.author, p.text.partition("\n")[0]) for p in passages] == [
        ("Ida Lund", "Subject: Boat"),
        ("Ola", "Subject: Anchor"),
        ("Kim", "Subject: Key"),
    ]
    assert passages[0].end_line < passages[1].start_line <= passages[1].end_line < passages[2].start_line


def test_each_mail_of_a_mailbox_is_a_document_of_its_own():
    first = message(Message_ID="<1@example.org>")
    second = message("From the shore I saw it.\n\n>From far away.\n", "Seen", sender="per@example.org")
    found = documents(mailbox(first, second, first), "box.mbox")
    assert [(d.title, d.passages[0].author) for d in found] == [("Boat", "Ida Lund"), ("Seen", "per@example.org")]
    assert found[0].uri.endswith("box.mbox#1%40example.org")
    assert found[1].passages[0].text.endswith("From the shore I saw it.\n\nFrom far away.")


def test_mails_keep_their_identity_when_others_come_before_them():
    old, new = message(), message("It sank.\n", "Sunk", Message_ID="<2@example.org>")
    before = {(d.uri, d.content_hash) for d in documents(mailbox(old), "box.mbox")}
    after = {(d.uri, d.content_hash) for d in documents(mailbox(new, old), "box.mbox")}
    assert before < after


def test_two_mails_with_one_id_are_both_kept():
    mails = [message(text, Message_ID="<1@example.org>") for text in ("One.\n", "Two.\n")]
    found = documents(mailbox(*mails), "box.mbox")
    assert [d.passages[0].text[-4:] for d in found] == ["One.", "Two."]
    assert len({d.uri for d in found}) == 2


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [
        ("koi8-r", "koi8-r", "Жук"),
        ("iso-2022-jp", "iso-2022-jp", "船は倉庫にあります"),
        ("iso-8859-1", "cp1252", "Bööt zu 5 €"),
        ("iso-8859-1", "utf-8", "Bööt, Ruder"),
        ("no-such-charset", "utf-8", "Bööt"),
        ("us-ascii", "utf-8", "Bööt"),
        ("utf-8", "cp1252", "Das Bööt ist schön und müde"),
    ],
)
def test_the_body_is_decoded_as_declared_or_as_it_is(charset, encoding, text):
    head = (
        f"From: ida@example.org\nDate: Fri, 06 Mar 2026 18:30:00 +0100\nContent-Type: text/plain; charset={charset}\n"
    )
    data = head.encode() + b"Content-Transfer-Encoding: 8bit\n\n" + text.encode(encoding)
    assert one(data).passages[0].text.endswith(text)


@pytest.mark.parametrize(
    ("raw", "subject"),
    [
        (b"=?iso-8859-1?q?B=F6=F6t?= and =?utf-8?b?UnVkZXI=?=", "Bööt and Ruder"),
        ("Bööt".encode(), "Bööt"),
        ("Bööt".encode("cp1252"), "Bööt"),
        (b"=?utf-8?b?QsO2w7Z0=?= x", "Bööt x"),
        (b"one\n two", "one two"),
        (b"=?x-unknown?q?boat?=", "boat"),
        (b"=?utf-8?q?cut", "=?utf-8?q?cut"),
    ],
)
def test_the_subject_is_decoded(raw, subject):
    assert one(b"From: a@b.org\nDate: x\nSubject: " + raw + b"\n\nBody\n").title == subject


@pytest.mark.parametrize(
    ("date", "time"),
    [
        ("Date: Fri, 6 Mar 2026 18:30:00 -0000", datetime(2026, 3, 6, 18, 30, tzinfo=UTC)),
        ("Date: yesterday", None),
        ("Date: Fri, 99 Mar 2026 99:30:00 +0000", None),
        ("Subject: no date", None),
        ("Received: by mx; Fri, 6 Mar 2026 18:30:00 +0000", datetime(2026, 3, 6, 18, 30, tzinfo=UTC)),
    ],
)
def test_a_time_that_cannot_be_read_is_none(date, time):
    assert one(f"From: a@b.org\n{date}\n\nBody\n".encode()).passages[0].occurred_at == time


def test_a_long_mail_is_split_and_each_part_keeps_its_sender():
    passages = one(message("\n\n".join(f"Plank {n} is new. " * 12 for n in range(30)))).passages
    assert len(passages) > 3
    assert {p.author for p in passages} == {"Ida Lund"}
    assert all(len(p.text) <= 1200 for p in passages)


def test_mails_and_mailboxes_without_a_suffix_are_told_by_their_headers():
    assert documents(bytes(message()), "1772.M1P2.host:2,S")[0].title == "Boat"
    assert len(documents(mailbox(message(), message("x\n", "Other")), "Inbox")) == 2
    assert documents(b"From: Ida\nTo: Per\n\nA letter.\n", "letter")[0].media_type == "text/plain"
    assert documents(bytes(message()), "a.txt")[0].media_type == "text/plain"


def test_a_mail_of_apple_is_read_without_its_frame():
    data = bytes(message())
    framed = f"{len(data)}   \n".encode() + data + b"<?xml version='1.0'?><plist></plist>\n"
    (passage,) = one(framed, "7.emlx").passages
    assert passage.text.endswith("The boat is in the shed.")


@pytest.mark.parametrize("name", ["a.eml", "box.mbox"])
def test_what_is_no_mail_is_refused_with_a_reason(name):
    with pytest.raises(UnreadableDocument, match=r"is not a readable mail"):
        documents(b"\x01 just some words\n\nand others\n", name)
    assert [d.passages for d in documents(b"", name)] == [()]


def test_a_broken_mail_gives_what_can_be_read():
    head = b"From: a@b.org\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nStill here.\n"
    assert "Still here." in one(head).passages[0].text
    odd = b"From: a@b.org\nContent-Transfer-Encoding: base64\n\n!!!not base64\n"
    assert one(odd).passages[0].author == "a@b.org"
