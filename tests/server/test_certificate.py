from __future__ import annotations

import os
import ssl
from pathlib import Path

import pytest
import trustme

from protocol.fingerprint import fingerprint
from server.certificate import FILE, CertificateError, identity, make_certificate
from server.settings import Site

AUTO = Site(tls="auto")


def der(pem: bytes) -> bytes:
    text = pem.decode("ascii")
    return ssl.PEM_cert_to_DER_cert(text[text.index(ssl.PEM_HEADER) :])


def test_no_tls_is_asked_for_unless_it_is() -> None:
    assert identity(Site(), Path("/nowhere")) is None


def test_a_certificate_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    one = identity(AUTO, folder)
    assert one is not None
    assert one.own
    file = folder / FILE
    assert one.fingerprint == fingerprint(der(file.read_bytes()))
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o700
    again = identity(AUTO, folder)
    assert again is not None
    assert again.fingerprint == one.fingerprint
    assert [path.name for path in folder.iterdir()] == [FILE]


def test_no_two_servers_have_the_same() -> None:
    assert der(make_certificate()) != der(make_certificate())


def test_old_versions_of_tls_are_not_spoken(tmp_path: Path) -> None:
    found = identity(AUTO, tmp_path)
    assert found is not None
    assert found.context.minimum_version == ssl.TLSVersion.TLSv1_2


@pytest.fixture
def given(tmp_path: Path) -> trustme.LeafCert:
    leaf = trustme.CA().issue_cert("play.example.org")
    leaf.private_key_pem.write_to_path(tmp_path / "key.pem")
    leaf.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    leaf.private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    return leaf


@pytest.mark.parametrize("files", [("cert.pem", "key.pem"), ("both.pem", "")])
def test_a_certificate_of_the_hosts_own(
    given: trustme.LeafCert, tmp_path: Path, files: tuple[str, str]
) -> None:
    cert, key = (str(tmp_path / name) if name else "" for name in files)
    found = identity(Site(tls_cert=cert, tls_key=key), Path("/nowhere"))
    assert found is not None
    assert not found.own
    assert found.fingerprint == fingerprint(der(given.cert_chain_pems[0].bytes()))


@pytest.mark.parametrize(
    ("site", "says"),
    [
        (Site(tls_key="key.pem"), "nothing without tls-cert"),
        (Site(tls="auto", tls_cert="cert.pem"), "not both"),
        (Site(tls_cert="missing.pem", tls_key="key.pem"), "missing.pem: it cannot be read"),
        (Site(tls_cert="cert.pem", tls_key="missing.pem"), "missing.pem: it cannot be read"),
        (Site(tls_cert="cert.pem"), "no certificate with its key in PEM"),
        (Site(tls_cert="cert.pem", tls_key="other.pem"), "key values mismatch"),
        (Site(tls_cert="key.pem"), "no certificate in PEM"),
        (Site(tls_cert="empty.pem", tls_key="key.pem"), "no certificate in PEM"),
        (Site(tls_cert="cert.pem", tls_key="locked.pem"), "locked.pem: the key has a passphrase"),
        (Site(tls_cert=".", tls_key="key.pem"), "it cannot be read"),
    ],
)
def test_what_cannot_be_used_is_said_in_words(
    given: trustme.LeafCert,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    site: Site,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    other = trustme.CA().issue_cert("play.example.org")
    other.private_key_pem.write_to_path("other.pem")
    Path("empty.pem").write_bytes(b"")
    Path("locked.pem").write_bytes(locked(given))
    with pytest.raises(CertificateError, match=says) as caught:
        identity(site, tmp_path / "state")
    assert str(caught.value).isprintable()
    assert not (tmp_path / "state").exists()


def locked(leaf: trustme.LeafCert) -> bytes:
    """The key under a passphrase."""
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_pem_private_key(leaf.private_key_pem.bytes(), None)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )


def test_a_broken_certificate_of_our_own_can_be_made_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")
    with pytest.raises(CertificateError, match="without the file .* a new one is made"):
        identity(AUTO, tmp_path)
    (tmp_path / FILE).unlink()
    assert identity(AUTO, tmp_path)


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"")
    with pytest.raises(CertificateError, match="cannot keep a certificate in .*state"):
        identity(AUTO, tmp_path / "state")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
