"""The manifests: what Kubernetes requires of each kind, and what its restricted profile asks for."""

import re
import shutil
import subprocess

import pytest

from lm_core.settings import Settings
from tests.deploy.files import COMPOSE, KUSTOMIZATION, MANIFESTS, ROOT, manifests

VERSIONS = {
    "Namespace": "v1",
    "Service": "v1",
    "PersistentVolumeClaim": "v1",
    "Deployment": "apps/v1",
    "StatefulSet": "apps/v1",
    "PodDisruptionBudget": "policy/v1",
    "NetworkPolicy": "networking.k8s.io/v1",
}
WORKLOADS = {m["metadata"]["name"]: m for m in manifests("Deployment", "StatefulSet")}
NAME = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
QUANTITY = r"\d+(\.\d+)?(m|[KMGT]i?)?"


def pods(workload):
    return workload["spec"]["template"]["spec"]


def labels(workload):
    return workload["spec"]["template"]["metadata"]["labels"]


def container(workload):
    (only,) = pods(workload)["containers"]
    return only


def selected(selector):
    """Return the names of the workloads whose pods a label selector takes."""
    wanted = {key: [value] for key, value in selector.get("matchLabels", {}).items()}
    for rule in selector.get("matchExpressions", ()):
        assert rule["operator"] == "In"
        wanted[rule["key"]] = rule["values"]
    return {
        name
        for name, workload in WORKLOADS.items()
        if all(labels(workload).get(key) in values for key, values in wanted.items())
    }


@pytest.mark.parametrize(
    "manifest", MANIFESTS, ids=lambda m: f"{m['kind']}-{m['metadata']['name']}"
)
def test_a_manifest_has_its_kinds_version_and_a_valid_name(manifest):
    assert manifest["apiVersion"] == VERSIONS[manifest["kind"]]
    assert re.fullmatch(NAME, manifest["metadata"]["name"])
    assert set(manifest) <= {"apiVersion", "kind", "metadata", "spec"}
    assert "namespace" not in manifest["metadata"]  # the kustomization gives them one


def test_no_name_is_given_twice():
    names = [(m["kind"], m["metadata"]["name"]) for m in MANIFESTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_workload_selects_its_own_pods_and_no_others(name):
    assert selected(WORKLOADS[name]["spec"]["selector"]) == {name}


@pytest.mark.parametrize("service", manifests("Service"), ids=lambda s: s["metadata"]["name"])
def test_a_service_leads_to_a_port_of_one_workload(service):
    (name,) = selected({"matchLabels": service["spec"]["selector"]})
    ports = container(WORKLOADS[name])["ports"]
    for port in service["spec"]["ports"]:
        target = port.get("targetPort", port["port"])
        assert target in {p["name"] for p in ports} | {p["containerPort"] for p in ports}


@pytest.mark.parametrize("name", WORKLOADS)
def test_probes_ask_for_a_port_that_the_container_has(name):
    only = container(WORKLOADS[name])
    ports = {port["name"] for port in only["ports"]}
    for kind in ("readinessProbe", "livenessProbe"):
        probe = only[kind]
        (asked,) = {"httpGet", "tcpSocket", "exec"} & set(probe)
        assert asked == "exec" or probe[asked]["port"] in ports
    if name == "app":
        assert only["readinessProbe"]["httpGet"]["path"] == "/_stcore/health"


@pytest.mark.parametrize("name", WORKLOADS)
def test_resources_are_asked_for_and_bounded(name):
    resources = container(WORKLOADS[name])["resources"]
    assert {"cpu", "memory"} <= set(resources["requests"])
    assert "memory" in resources["limits"]
    for quantities in resources.values():
        assert all(re.fullmatch(QUANTITY, str(q)) for q in quantities.values())


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_pod_keeps_to_the_restricted_profile(name):
    pod, only = pods(WORKLOADS[name]), container(WORKLOADS[name])
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    context = only["securityContext"]
    assert context["allowPrivilegeEscalation"] is False
    assert context["readOnlyRootFilesystem"] is True
    assert context["capabilities"]["drop"] == ["ALL"]
    assert set(context["capabilities"].get("add", ())) <= {"NET_BIND_SERVICE"}


@pytest.mark.parametrize("name", WORKLOADS)
def test_what_is_mounted_is_a_volume_and_every_volume_is_there(name):
    workload = WORKLOADS[name]
    volumes = {volume["name"]: volume for volume in pods(workload)["volumes"]}
    own = {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", ())}
    mounted = {mount["name"] for mount in container(workload)["volumeMounts"]}
    assert mounted == set(volumes) | own
    claims = {claim["metadata"]["name"] for claim in manifests("PersistentVolumeClaim")}
    made = {generator["name"] for generator in KUSTOMIZATION["configMapGenerator"]}
    for volume in volumes.values():
        if "persistentVolumeClaim" in volume:
            assert volume["persistentVolumeClaim"]["claimName"] in claims
        if "configMap" in volume:
            assert volume["configMap"]["name"] in made


def test_a_volume_of_several_pods_can_be_mounted_by_several():
    for claim in manifests("PersistentVolumeClaim"):
        name = claim["metadata"]["name"]
        mounting = [
            w
            for w in WORKLOADS.values()
            if any(
                v.get("persistentVolumeClaim") == {"claimName": name} for v in pods(w)["volumes"]
            )
        ]
        n_pods = sum(workload["spec"]["replicas"] for workload in mounting)
        wanted = "ReadWriteMany" if n_pods > 1 else "ReadWriteOnce"
        assert claim["spec"]["accessModes"] == [wanted]


def test_a_stateful_set_has_a_headless_service():
    headless = {
        s["metadata"]["name"] for s in manifests("Service") if s["spec"].get("clusterIP") == "None"
    }
    assert {w["spec"]["serviceName"] for w in manifests("StatefulSet")} <= headless


def test_the_proxy_knows_every_replica_by_its_name():
    only = container(WORKLOADS["proxy"])
    (value,) = [e["value"] for e in only["env"] if e["name"] == "LM_LAB_REPLICAS"]
    replicas = value.split()
    assert replicas == [f"app-{i}.app:8501" for i in range(len(replicas))]
    assert 2 <= WORKLOADS["app"]["spec"]["replicas"] <= len(replicas)


def test_policies_select_workloads_and_the_scheduler_is_reached_by_its_own_alone():
    for policy in manifests("NetworkPolicy", "PodDisruptionBudget"):
        spec = policy["spec"]
        assert selected(spec.get("podSelector") or spec["selector"])
    assert peers("ingress", "from") == {
        "app": {("proxy", 8501)},
        "database": {("app", 5432)},
        "scheduler": {("app", 8786), ("worker", 8786)},
        "worker": {("scheduler", 8788), ("worker", 8788)},
        "proxy": {("anybody", 80), ("anybody", 443)},
    }


def test_each_reaches_those_alone_whom_it_needs():
    assert peers("egress", "to") == {
        "app": {("database", 5432), ("scheduler", 8786), ("names", 53)},
        "database": set(),
        "scheduler": {("worker", 8788), ("names", 53)},
        "worker": {(n, p) for n in ("scheduler", "worker") for p in (8786, 8788)} | {("names", 53)},
        "proxy": {("app", 8501), ("names", 53), ("anybody", 80), ("anybody", 443)},
    }


def peers(direction, whom):
    """Return who may be reached, or reaches, each workload, and at which ports."""
    found = {}
    for policy in manifests("NetworkPolicy"):
        assert policy["spec"]["policyTypes"] == ["Ingress", "Egress"]
        (name,) = selected(policy["spec"]["podSelector"])
        found[name] = {
            (peer, port["port"])
            for rule in policy["spec"][direction]
            for peer in named_in(rule.get(whom))
            for port in rule["ports"]
        }
    return found


def named_in(rules):
    if rules is None:
        return {"anybody"}
    return set().union(
        *(selected(r["podSelector"]) if "podSelector" in r else {"names"} for r in rules)
    )


def test_the_database_gives_the_app_a_role_of_its_own():
    environment = {e["name"] for e in container(WORKLOADS["database"])["env"]}
    assert "POSTGRES_USER" not in environment
    assert {"POSTGRES_PASSWORD_FILE", "LAB_PASSWORD_FILE"} <= environment


def test_secrets_reach_a_pod_as_files_that_not_everybody_reads():
    for name in ("app", "database"):
        secrets = [v["secret"] for v in pods(WORKLOADS[name])["volumes"] if "secret" in v]
        assert all(secret["defaultMode"] == 0o440 for secret in secrets)
    assert not any("valueFrom" in e for e in container(WORKLOADS["app"])["env"])


@pytest.mark.parametrize("name", WORKLOADS)
def test_images_are_exact_versions_and_memory_disks_are_bounded(name):
    image = container(WORKLOADS[name])["image"]
    assert image == "lm-lab" or re.search(r":\d+\.\d+", image)
    for volume in pods(WORKLOADS[name])["volumes"]:
        if volume["name"] in ("temporary", "sockets"):
            assert "sizeLimit" in volume["emptyDir"]


def test_variables_of_the_lab_are_settings():
    known = {Settings.variable(field) for field in Settings.model_fields}
    for name in ("app", "scheduler", "worker"):
        assert {e["name"] for e in container(WORKLOADS[name]).get("env", ())} <= known


@pytest.mark.parametrize("name", ["scheduler", "worker"])
def test_trainings_are_started_as_compose_starts_them(name):
    command = container(WORKLOADS[name])["command"]
    assert set(COMPOSE["services"][name]["command"]) <= set(command)


@pytest.mark.skipif(
    not shutil.which("kubectl"), reason="no kubectl here to build the kustomization"
)
def test_the_kustomization_is_built():
    built = subprocess.run(
        ["kubectl", "kustomize", "deploy"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert built.count("\nkind: ") + built.startswith("kind: ") == len(MANIFESTS) + len(
        KUSTOMIZATION["configMapGenerator"]
    )
