"""The Caddyfile: Caddy accepts it, and it keeps visitors where they are for as long as that lives."""

import json
import os
import re
import shutil
import subprocess

import pytest

from tests.deploy.files import CADDYFILE, COMPOSE

needs_caddy = pytest.mark.skipif(
    not shutil.which("caddy"), reason="no Caddy here: apt-get install caddy"
)


def adapted(**variables):
    """Return what Caddy makes of the file with these variables."""
    finished = subprocess.run(
        ["caddy", "adapt", "--validate", "--adapter", "caddyfile", "--config", CADDYFILE],
        env=os.environ | {"LM_LAB_REPLICAS": "app-1:8501 app-2:8501"} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    (server,) = json.loads(finished.stdout)["apps"]["http"]["servers"].values()
    return server


def reverse_proxy(node):
    """Return the handler that passes requests on, wherever in the routes it is."""
    if isinstance(node, dict):
        if node.get("handler") == "reverse_proxy":
            return node
        node = node.values()
    parts = node if not isinstance(node, (str, int)) and node is not None else ()
    return next(filter(None, map(reverse_proxy, parts)), None)


def test_its_variables_are_set_where_it_is_used():
    used = set(re.findall(r"\{\$(\w+)", CADDYFILE.read_text(encoding="utf-8")))
    assert used == set(COMPOSE["services"]["proxy"]["environment"])


@needs_caddy
def test_sessions_stick_by_a_cookie_and_a_dead_replica_is_left_out_within_seconds():
    proxy = reverse_proxy(adapted())
    assert [u["dial"] for u in proxy["upstreams"]] == ["app-1:8501", "app-2:8501"]
    balancing = proxy["load_balancing"]
    assert balancing["selection_policy"] == {"policy": "cookie", "name": "lm_lab_replica"}
    second = 10**9
    assert balancing["try_interval"] <= 0.2 * second < 3 * second <= balancing["try_duration"]
    checks = proxy["health_checks"]
    assert checks["active"]["uri"] == "/_stcore/health"
    assert checks["active"]["interval"] + checks["active"]["timeout"] <= 3 * second
    assert checks["passive"]["max_fails"] == 1
    assert proxy["transport"]["dial_timeout"] <= second


@needs_caddy
def test_it_believes_nobody_who_is_not_named():
    assert "trusted_proxies" not in reverse_proxy(adapted())
    named = reverse_proxy(adapted(LM_LAB_TRUSTED_PROXIES="10.0.0.0/8"))
    assert named["trusted_proxies"] == ["10.0.0.0/8"]


@needs_caddy
def test_it_serves_a_domain_or_a_port():
    assert adapted()["listen"] == [":8080"]
    assert adapted(LM_LAB_SITE="lab.example.org")["listen"] == [":443"]
