"""One minibatch on several machines: who holds which number."""

import pyarrow as pa

from lm_core.experiments.overfitting.machines import EXAMPLES, Descent
from pages.overfitting.scene import HEIGHT
from pages.shared.charts.network_diagram import Edge, Node, diagram_table, network_diagram
from pages.shared.ui.figures import show_chart

SPLIT, GRADIENT, SUM, BROADCAST, UPDATE = range(1, 6)


def draw_diagram(found: Descent, t: int, phase: int, *, is_masked: bool) -> None:
    """Draw who holds which number after a step, and what is sent."""
    step = found.steps[t]
    k = len(step.sizes)
    is_hidden = is_masked and phase >= SUM
    theta = found.together[t + (phase == UPDATE and not is_masked)]
    batch = Node(0.5, 1.05, str(len(EXAMPLES)), "minibatch", is_current=phase == SPLIT)
    summed = "?" if is_hidden else signed(float(step.combined)) if phase >= SUM else ""
    device = Node(0.5, 0.0, summed, "", "device 0: g", phase >= SUM, is_current=phase == SUM)
    sent = [f"g{subscript(n)} = {signed(float(g))}" for n, g in enumerate(step.gradients, 1)]
    nodes = [
        Node(
            0.5 if k == 1 else n / (k - 1),
            0.52,
            signed(theta) if not (is_hidden and phase == UPDATE) else "?",
            sent[n] if phase >= SUM else "",
            sent[n] if phase == GRADIENT else "" if phase >= SUM else f"machine {n + 1}",
            is_on=phase == UPDATE,
            is_current=phase in (GRADIENT, UPDATE),
        )
        for n in range(k)
    ]
    edges = []
    if phase <= GRADIENT:  # what is written at a machine is on its other side
        edges = [
            Edge(batch, node, f"{size}" if phase else "", phase == SPLIT)
            for node, size in zip(nodes, step.sizes, strict=True)
        ]
    if phase >= SUM:
        edges = [Edge(node, device, "", phase < UPDATE) for node in nodes]
    show_chart(
        network_diagram(diagram_table([batch, *nodes, device], edges), height=HEIGHT),
        pa.table(
            {
                "machine": list(range(1, k + 1)),
                "examples": list(step.sizes),
                "gradient": [float(g) for g in step.gradients],
            }
        ),
        key="machines_diagram",
        alt=f"{k} machines with θ = {theta:.3f}, {', '.join(map(str, step.sizes))} examples.",
        name="machines",
        is_small=True,
    )


def subscript(number: int) -> str:
    """Return a digit as a subscript."""
    return chr(ord("₀") + number)


def signed(number: float) -> str:
    """Return a number to two decimals, with a true minus."""
    return f"{number + 0.0:.2f}".replace("-", "−")
