"""A batch of networks with its weights: losses, gradients and accuracies of all of them."""

import torch
from torch import Tensor

from lm_core.experiments.rnn_vs_lstm.backbones import body_named
from lm_core.experiments.rnn_vs_lstm.models import MODELS, Parameters, draw
from lm_core.experiments.rnn_vs_lstm.output_layer import OutputLayer, losses_of
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings, n_sequences
from lm_core.rng import generator


class RecallNetworks:
    """The networks of one `RecallSettings`, as one computation.

    What a network becomes hangs on its own length and seed alone: alone or in a batch it is the
    same, up to the last bits of floating-point sums.

    Parameters
    ----------
    settings : RecallSettings
    device : torch.device
    dtype : torch.dtype
        float32; tests take float64.

    Attributes
    ----------
    parameters : dict of str to Tensor
        One leaf for each kind of weight, first axis: networks, in the order of
        `settings.networks`. Positions of attention are as many as the longest network's; no
        network ever reads one that lies beyond its own length.
    """

    def __init__(
        self,
        settings: RecallSettings,
        *,
        device: torch.device | str = "cpu",
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.settings = settings
        model, width = MODELS[settings.model], settings.hidden_units
        self._lengths = [length for length, _ in settings.networks]
        drawn = [
            draw(model, settings.vocabulary, width, length, seed, as_torch=settings.torch_biases)
            for length, seed in settings.networks
        ]
        self.parameters: Parameters = {
            name: _stacked([weights[name] for weights in drawn], self._lengths)
            .to(device, dtype)
            .requires_grad_()
            for name in drawn[0]
        }
        for weight in self.parameters.values():
            weight.grad = torch.zeros_like(weight)
        self._counts = [n_sequences(settings.vocabulary, length) for length in self._lengths]
        n = max(self._counts)
        like = self.parameters["output_bias"].detach()
        self._states = like.new_zeros(max(self._lengths) + 1, len(drawn), n, width)
        # Rows and steps beyond a network's own are never written: their gradients stay zero.
        self._by_states = torch.zeros_like(self._states[1:])
        self._body = body_named(model.cell, model.heads, self._lengths, self._states)
        self._output = OutputLayer(n, settings.vocabulary, like)

    def learn(self) -> Tensor:
        """Set every weight's gradient; return each network's mean loss, in nats per answer, (B,).

        The loss of a network is the mean cross-entropy over all steps of all its sequences.
        """
        parameters = self.parameters
        gradients = {name: weight.grad for name, weight in parameters.items()}
        for gradient in gradients.values():
            gradient.zero_()
        self._body.forward(self._trainable())
        with torch.no_grad():
            losses = torch.stack([self._name(b, gradients) for b in range(len(self._lengths))])
        self._body.backward(self._trainable(), self._by_states, gradients)
        return losses

    @torch.no_grad()
    def accuracies(self, fillers_seed: int | None = None) -> Tensor:
        """Return how many of each network's sequences end in the right answer, (B,), 0 to 1.

        Parameters
        ----------
        fillers_seed : int, optional
            If given, every symbol but the first is drawn at random from it: sequences that no
            network has been trained on, whose last symbol no longer gives the first one away.
        """
        fillers = None
        if fillers_seed is not None:
            shape = self._states.shape[2], len(self._states) - 1
            rng = generator(fillers_seed)
            fillers = torch.randint(self.settings.vocabulary, shape, generator=rng)
            fillers = fillers.to(self._states.device)
        self._body.forward(self._detached(), fillers)
        shares = []
        for b, length in enumerate(self._lengths):
            hidden = self._states[length, b, : self._counts[b]]
            answers = self._output.logits(hidden, *self._output_weights(b)).argmax(1)
            right = answers == torch.arange(len(answers), device=answers.device)
            shares.append(right.double().mean())
        return torch.stack(shares)

    def gradient_norms(self) -> Tensor:
        """Return the Euclidean norm of each network's gradient, (B,)."""
        squares = [w.grad.flatten(1).square().sum(1) for w in self.parameters.values()]
        return torch.stack(squares).sum(0).sqrt()

    def clip_gradients(self, largest: float) -> None:
        """Shorten each network's gradient to `largest`, as torch.nn.utils.clip_grad_norm_ does."""
        shrink = (largest / (self.gradient_norms() + 1e-6)).clamp_max(1.0)
        for weight in self.parameters.values():
            weight.grad *= shrink.view(-1, *[1] * (weight.grad.dim() - 1))

    def _name(self, b: int, gradients: Parameters) -> Tensor:
        """Go through one network's answers: loss, gradients of the output layer and the states."""
        n, length = self._counts[b], self._lengths[b]
        weight, bias = self._output_weights(b)
        by_weight, by_bias = gradients["output_weight"][b], gradients["output_bias"][b]
        chances = weight.new_empty(length, n)
        for t in range(length):
            hidden = self._states[t + 1, b, :n]
            by_all = self._by_states[t, b, :n], by_weight, by_bias
            self._output.learn(hidden, weight, bias, by_all, chances[t], 1 / (n * length))
        return losses_of(chances).mean()

    def _output_weights(self, b: int) -> tuple[Tensor, Tensor]:
        weights = self._detached()
        return weights["output_weight"][b], weights["output_bias"][b]

    def _detached(self) -> Parameters:
        return {name: weight.detach() for name, weight in self.parameters.items()}

    def _trainable(self) -> Parameters:
        """Return the weights as the body wants them: only attention needs autograd."""
        return self.parameters if MODELS[self.settings.model].heads > 1 else self._detached()


def _stacked(weights: list[Tensor], lengths: list[int]) -> Tensor:
    """Stack one kind of weight of all networks; shorter ones (positions) are filled up with zeros."""
    longest = max(len(weight) for weight in weights)
    stacked = weights[0].new_zeros(len(weights), longest, *weights[0].shape[1:])
    for network, weight in zip(stacked, weights, strict=True):
        network[: len(weight)] = weight
    return stacked
