"""What the environment sets, each value by a variable of its own; read when asked for, not at import."""

import functools
import ipaddress
import os
import re
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from lm_core.errors import SettingError

PREFIX = "LM_LAB_"
Folder = Annotated[Path, AfterValidator(Path.expanduser)]


def _networks(addresses: str) -> str:
    """Return the list as it is, once every address and network of it can be read."""
    for address in addresses.split(","):
        ipaddress.ip_network(address.strip())
    return addresses


OWN_PAGES = "'self'"
_ORIGIN = re.compile(r"https://[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?")
_MOST_ORIGINS = 8  # every page's header says them all


def _framing(origins: str) -> str:
    """Return the list as it is, once it is short and each of it is an origin or stands for our own pages."""
    named = origins.split(" ")
    wrong = [name for name in named if name != OWN_PAGES and not _ORIGIN.fullmatch(name)]
    if wrong or len(named) > _MOST_ORIGINS:
        what = repr(wrong[0]) if wrong else f"{len(named)} names"
        raise ValueError(
            f"it must be at most {_MOST_ORIGINS} origins with one space between, each {OWN_PAGES} or"
            f" as https://moodle.example.org, without a path; got {what}"
        )
    return origins


class EnvironmentSettings(BaseSettings):
    """Base of what is read from variables; an empty one counts as unset."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True)

    @classmethod
    def from_environment(cls) -> Self:
        """Return what the environment says now.

        Raises SettingError if a variable has a value that cannot be used; with its name and the
        remedy.
        """
        try:
            return cls()
        except ValidationError as error:
            faults = [
                f"{cls.variable(str(fault['loc'][0]))} is {fault['input']!r}: {fault['msg']}."
                " Correct the variable, or unset it"
                for fault in error.errors()
            ]
            raise SettingError("; ".join(faults)) from error

    @classmethod
    def variable(cls, field: str) -> str:
        """Return the environment variable of a field."""
        return f"{cls.model_config['env_prefix']}{field.upper()}"


class Settings(EnvironmentSettings):
    """Where things lie and what may run; the variable of `home` is ``LM_LAB_HOME``, and so on."""

    cache: Folder = Path("~/.cache/lm-lab")
    """Path. Folder for downloads."""
    data: Folder | None = None
    """Path or None. Folder in which corpora are looked for first."""
    home: Folder | None = None
    """Path or None. Folder of the runs and their queue; None for the cache."""
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    """Str. What trainings run on; ``auto`` takes a graphics card where there is one."""
    scheduler: str | None = None
    """Address of a Dask scheduler that is given the trainings."""
    worker_niceness: Annotated[int, Field(ge=0, le=19)] = 10
    """Int in [0, 19]. How far trainings stand back for everything else on their machine."""
    prewarmed_worker: bool = True
    """Whether a worker waits for the next training with torch already imported."""
    presenter_code: str | None = None
    """Who knows it may stop other people's trainings; None for nobody."""
    presenter_code_file: Folder | None = None
    """Path or None. File with the presenter's code, for servers that keep secrets in files; one
    that is empty counts as none."""
    pretrained: Folder | None = None
    """Path or None. Folder of a causal language model in Hugging Face's format, which the pages
    then offer, too."""
    database: str | None = None
    """URL of the database of the class rooms; None for a file of SQLite in `home`."""
    database_password_file: Folder | None = None
    """Path or None. File with the password that `database` leaves out, for servers that keep
    secrets in files."""
    trusted_proxies: Annotated[str, AfterValidator(_networks)] | None = None
    """Addresses and networks, between commas, whose ``X-Forwarded-For`` names the visitor."""
    framed_by: Annotated[str, AfterValidator(_framing)] = OWN_PAGES
    """Origins, between spaces, of the pages that may show the lab in a frame; by default its
    own."""

    def framing_hosts(self) -> tuple[str, ...]:
        """Return the hosts other than this server whose pages may show the lab in a frame."""
        return tuple(urlsplit(name).netloc for name in self.framed_by.split() if name != OWN_PAGES)

    def database_url(self) -> str | None:
        """Return `database`, with the password if a file holds it.

        Raises SettingError if that file cannot be read, or the URL names no user whose password it
        could be.
        """
        if self.database is None or self.database_password_file is None:
            return self.database
        password = self._secret("database_password_file")
        url = urlsplit(self.database)
        user, at, host = url.netloc.rpartition("@")
        if not at or ":" in user:
            raise SettingError(
                f"{self.variable('database')} must name a user and no password, as"
                " postgresql+psycopg://user@host/name does, because"
                f" {self.variable('database_password_file')} holds the password"
            )
        return url._replace(netloc=f"{user}:{quote(password, safe='')}@{host}").geturl()

    def presenters_code(self) -> str | None:
        """Return the presenter's code, from its variable or from the file that holds it.

        Raises SettingError if that file cannot be read.
        """
        if self.presenter_code_file is None:
            return self.presenter_code
        return self._secret("presenter_code_file") or None

    def _secret(self, field: str) -> str:
        path: Path = getattr(self, field)
        try:
            return path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(f"{self.variable(field)} cannot be read: {error}") from error


def settings() -> Settings:
    """Return the settings of this process, as its environment is now.

    Raises SettingError if a variable has a value that cannot be used.
    """
    return _parsed(tuple(map(os.environ.get, _VARIABLES)))


_VARIABLES = (*map(Settings.variable, Settings.model_fields), "HOME")
"""What settings depend on: a folder may begin with ``~``."""


@functools.lru_cache(maxsize=4)
def _parsed(environment: tuple[str | None, ...]) -> Settings:
    """Parse once what is asked for at every look for a file."""
    del environment  # part of the key
    return Settings.from_environment()
