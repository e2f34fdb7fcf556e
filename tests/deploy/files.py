"""The files by which the lab is deployed, as parsed records."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
CADDYFILE = ROOT / "deploy" / "Caddyfile"
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
KUSTOMIZATION = yaml.safe_load((ROOT / "deploy" / "kustomization.yaml").read_text(encoding="utf-8"))
MANIFESTS = [
    manifest
    for path in KUSTOMIZATION["resources"]
    for manifest in yaml.safe_load_all((ROOT / "deploy" / path).read_text(encoding="utf-8"))
]


def instructions(name, stage=-1):
    """Return the arguments of an instruction in a stage of the Dockerfile, each on one line."""
    stages = re.split(r"^FROM ", DOCKERFILE.replace("\\\n", " "), flags=re.MULTILINE)
    return re.findall(rf"^{name} +(.+)$", stages[stage], flags=re.MULTILINE)


def manifests(*kinds):
    """Return the manifests of these kinds."""
    return [manifest for manifest in MANIFESTS if manifest["kind"] in kinds]
