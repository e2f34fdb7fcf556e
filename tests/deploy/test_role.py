"""The role that the database's container makes for the app: it owns its database, and nothing more."""

import os
import shutil
import subprocess

import pytest

from tests.core.classroom.postgresql import PASSWORD, USER, running_cluster
from tests.deploy.files import ROOT


@pytest.mark.skipif(not shutil.which("psql"), reason="no psql here: apt-get install postgresql")
def test_the_role_owns_its_database_and_runs_no_programs(tmp_path):
    psycopg = pytest.importorskip("psycopg")
    secret = tmp_path / "password"
    secret.write_text("it's a secret\n")
    with running_cluster() as cluster:
        host = str(cluster._folder)
        environment = os.environ | {
            "POSTGRES_USER": USER,
            "LAB_PASSWORD_FILE": str(secret),
            "PGHOST": host,
            "PGPASSWORD": PASSWORD,
        }
        script = ROOT / "deploy" / "database" / "10-role.sh"
        subprocess.run(["sh", str(script)], env=environment, check=True)
        settings = {"host": host, "user": "lab", "password": "it's a secret", "autocommit": True}
        with psycopg.connect(dbname="lab", **settings) as lab:
            lab.execute("CREATE TABLE rooms (code text)")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                lab.execute("COPY rooms FROM PROGRAM 'id'")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                lab.execute("CREATE ROLE another SUPERUSER")
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(dbname="postgres", **settings)
