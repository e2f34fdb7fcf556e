"""How much training a machine gives away, each limit an environment variable of its own."""

from pydantic import PositiveInt
from pydantic_settings import SettingsConfigDict

from lm_core.errors import LimitError
from lm_core.settings import PREFIX, EnvironmentSettings


class Limits(EnvironmentSettings):
    """What a job may ask for; the variable of `run_seconds` is ``LM_LAB_MAX_RUN_SECONDS``, and so on."""

    model_config = SettingsConfigDict(env_prefix=f"{PREFIX}MAX_")

    run_seconds: PositiveInt = 3_600
    """Int. Training time of one run; the more others wait, the sooner it makes way for them."""
    parameters: PositiveInt = 20_000_000
    """Int. Size of a model."""
    text_bytes: PositiveInt = 5_000_000
    """Int. Length of a text that a visitor hands in."""
    jobs_per_visitor: PositiveInt = 1
    jobs_per_address: PositiveInt = 45
    jobs: PositiveInt = 60
    """`jobs_per_visitor`, `jobs_per_address` and `jobs`: int. Queued, starting and running ones:
    of one visitor, of all who share an address, and of all. A class behind one address has a
    place for everybody."""
    runs_bytes: PositiveInt = 2_000_000_000
    """Int. Disk that all runs take together; the oldest ended ones make room."""

    def require(self, name: str, asked: float, what: str) -> None:
        """Refuse what is more than the limit of that name; raises LimitError, with both numbers."""
        allowed = getattr(self, name)
        if asked > allowed:
            raise LimitError(
                f"{what} may be at most {allowed:,} here, got {asked:,}: ask for less",
                variable=self.variable(name),
            )
