"""certificates.py - certificates of 127.0.0.1 that sign themselves, for servers and clients of tests."""
import shutil
import subprocess

import pytest


def make_certificate(folder, name="server"):
    """(certificate, key): two files of PEM."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl")
    certificate, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                    "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    return certificate, key
