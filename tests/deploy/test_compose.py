"""compose.yaml: what the Compose specification asks for, and what this server promises."""

import ipaddress
import re

import pytest

from lm_core.classroom.database import CONNECTIONS_KEPT, CONNECTIONS_MORE
from lm_core.settings import Settings
from tests.deploy.files import COMPOSE, ROOT

SERVICES = COMPOSE["services"]
KNOWN = {
    # of the Compose specification, those that are used here
    *("image", "build", "init", "restart", "read_only", "tmpfs", "cap_drop", "cap_add"),
    *("security_opt", "volumes", "ports", "environment", "networks", "depends_on", "secrets"),
    *("ulimits", "deploy", "command", "healthcheck", "user"),
}


def names(entry):
    """Return the names in a list or a mapping: Compose takes either."""
    return set(entry or ())


def volume_of(mount):
    return mount.split(":")[0]


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_names_nothing_that_is_not_there(name):
    service = SERVICES[name]
    assert set(service) <= KNOWN
    assert names(service.get("depends_on")) <= set(SERVICES)
    assert names(service.get("networks")) <= set(COMPOSE["networks"])
    assert names(service.get("secrets")) <= set(COMPOSE["secrets"])
    mounted = {volume_of(mount) for mount in service.get("volumes", ())}
    files = {source for source in mounted if source.startswith(".")}
    assert mounted - files <= set(COMPOSE["volumes"])
    assert all((ROOT / source).exists() for source in files)


def test_nothing_is_declared_that_no_service_uses():
    for kind in ("networks", "secrets"):
        assert set(COMPOSE[kind]) == set().union(*(names(s.get(kind)) for s in SERVICES.values()))
    mounted = {volume_of(mount) for s in SERVICES.values() for mount in s.get("volumes", ())}
    assert set(COMPOSE["volumes"]) == {source for source in mounted if not source.startswith(".")}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_can_neither_write_to_its_root_nor_gain_rights(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("cap_add", []) in ([], ["NET_BIND_SERVICE"])
    assert service["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"proxy"}))
def test_only_the_proxy_is_reached_from_outside_and_all_others_have_a_bound(name):
    assert "ports" not in SERVICES[name]
    limits = SERVICES[name]["deploy"]["resources"]["limits"]
    assert set(limits) == {"cpus", "memory"}


def test_what_runs_code_for_whoever_asks_is_on_the_inner_network_alone():
    assert COMPOSE["networks"]["back"] == {"internal": True}
    for name in ("scheduler", "worker", "database"):
        assert SERVICES[name]["networks"] == ["back"]


def test_who_waits_for_a_healthy_service_waits_for_one_that_says_so():
    for service in SERVICES.values():
        needed = service.get("depends_on", {})
        for name in needed if isinstance(needed, dict) else ():
            if needed[name]["condition"] == "service_healthy":
                assert "test" in SERVICES[name]["healthcheck"]


def test_variables_of_the_lab_are_settings():
    known = {Settings.variable(field) for field in Settings.model_fields}
    for name in ("app", "scheduler", "worker"):
        assert names(SERVICES[name].get("environment")) <= known, name


def test_app_and_workers_share_runs_and_scheduler():
    for name in ("app", "worker"):
        assert SERVICES[name]["volumes"] == ["lab:/lab"]
        assert SERVICES[name]["environment"]["LM_LAB_SCHEDULER"] == "tcp://scheduler:8786"
    assert {SERVICES["scheduler"]["command"][i] for i in (0, 1, 3)} == {"dask", "scheduler", "8786"}


def test_the_proxy_knows_the_replicas_by_their_names_and_they_know_its_address():
    replicas = SERVICES["proxy"]["environment"]["LM_LAB_REPLICAS"].split()
    assert replicas == [f"{COMPOSE['name']}-app-{i}:8501" for i in range(1, len(replicas) + 1)]
    (default,) = re.findall(r"\$\{LM_LAB_APPS:-(\d+)}", SERVICES["app"]["deploy"]["replicas"])
    assert 2 <= int(default) <= len(replicas)
    address = SERVICES["proxy"]["networks"]["middle"]["ipv4_address"]
    assert SERVICES["app"]["environment"]["LM_LAB_TRUSTED_PROXIES"] == address
    (subnet,) = COMPOSE["networks"]["middle"]["ipam"]["config"]
    assert ipaddress.ip_address(address) in ipaddress.ip_network(subnet["subnet"])


def test_secrets_are_in_files_that_git_ignores_and_in_no_variable():
    for secret in COMPOSE["secrets"].values():
        folder = secret["file"].removeprefix("./").rsplit("/", 1)[0]
        assert f"{folder}/" in (ROOT / ".gitignore").read_text().splitlines()
    for service in SERVICES.values():
        named = {k: v for k, v in (service.get("environment") or {}).items() if "SECRET" not in k}
        secret = {k: v for k, v in named.items() if re.search("PASSWORD|CODE", k)}
        assert all(k.endswith("_FILE") for k in secret)
        mounted = {f"/run/secrets/{name}" for name in service.get("secrets", ())}
        assert set(secret.values()) == mounted


def test_the_app_owns_its_tables_and_is_no_superuser():
    environment = SERVICES["database"]["environment"]
    assert "POSTGRES_USER" not in environment  # it would be a superuser
    script = (ROOT / "deploy" / "database" / "10-role.sh").read_text(encoding="utf-8")
    assert "CREATE ROLE lab LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE" in script
    assert environment["LAB_PASSWORD_FILE"] == "/run/secrets/database_password"
    assert SERVICES["app"]["environment"]["LM_LAB_DATABASE"].startswith(
        "postgresql+psycopg://lab@database/"
    )


def test_all_replicas_together_have_connections_to_spare():
    replicas = len(SERVICES["proxy"]["environment"]["LM_LAB_REPLICAS"].split())
    assert replicas * (CONNECTIONS_KEPT + CONNECTIONS_MORE) <= 100 - 10  # PostgreSQL's default


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"proxy"}))
def test_only_the_proxy_reaches_the_internet(name):
    networks = [COMPOSE["networks"][network] for network in SERVICES[name]["networks"]]
    assert networks
    assert all(network["internal"] is True for network in networks)


@pytest.mark.parametrize("name", SERVICES)
def test_what_is_written_to_memory_is_bounded_and_images_are_exact_versions(name):
    assert all("size=" in mount for mount in SERVICES[name].get("tmpfs", ()))
    if "build" not in SERVICES[name]:
        assert re.search(r":\d+\.\d+", SERVICES[name]["image"])


def test_only_those_who_train_or_show_trainings_see_them():
    assert SERVICES["scheduler"]["volumes"] == []
