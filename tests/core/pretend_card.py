"""A graphics card that lives in Python: it computes on the processor, and keeps a card's rules.

torch lets a program register a device of its own. Tensors of this one hold a tensor of the processor,
and every operation that mixes them with the processor's own, or draws from a generator of another
device, is refused with the words that CUDA has for it. What CUDA allows is allowed: numbers without an
axis, indices on the processor, and copies.
"""

import contextlib
from unittest import mock

import torch
from torch.utils import _pytree as tree
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.backend_registration import (
    _DummyBackendModule,
    _setup_privateuseone_for_python_backend,
)

NAME = "pretend"
aten = torch.ops.aten
_AUTOCAST = torch.library.Library("_", "IMPL")
_COPIES = {aten._to_copy.default, aten.copy_.default}
_RECURRENT = {"lstm", "gru", "rnn_tanh", "rnn_relu"}
"""Their first state must lie in one piece: cuDNN asks for it."""
_INDEXED = {aten.index.Tensor, aten.index_put.default, aten.index_put_.default}
_INDEXED |= {aten._index_put_impl_.default, aten._unsafe_index.Tensor}
_PACKED = {aten._pack_padded_sequence.default, aten._pack_padded_sequence_backward.default}
"""Rows of several lengths: how many go on at each step is counted on the processor, on a card, too."""
_TORCHS = torch.Generator
_DRAWN_HERE: dict[int, torch.Generator] = {}


class PretendTensor(torch.Tensor):
    """A tensor on the pretend card; `held` is what it computes with."""

    held: torch.Tensor

    @staticmethod
    def __new__(cls, held):
        tensor = torch.Tensor._make_wrapper_subclass(
            cls,
            held.shape,
            strides=held.stride(),
            storage_offset=held.storage_offset(),
            dtype=held.dtype,
            device=torch.device(NAME, 0),
        )
        tensor.held = held
        return tensor

    def __repr__(self, **_):
        return f"{self.held!r} on the pretend card"

    def tolist(self):
        return self.cpu().tolist()

    def __tensor_flatten__(self):
        return ["held"], None

    @staticmethod
    def __tensor_unflatten__(parts, *_):
        return PretendTensor(parts["held"])

    @classmethod
    def __torch_function__(cls, function, types, arguments=(), settings=None):
        if getattr(function, "__name__", "") in _RECURRENT:
            for state in tree.tree_leaves(arguments[1]):
                if not state.is_contiguous():
                    raise RuntimeError("rnn: hx is not contiguous")
        if function is torch.nn.functional.scaled_dot_product_attention:
            function = _attention
        with torch._C.DisableTorchFunctionSubclass():
            return function(*arguments, **(settings or {}))

    @classmethod
    def __torch_dispatch__(cls, operation, types, arguments=(), settings=None):
        return _computed(operation, arguments, settings or {})


class _Factories(TorchDispatchMode):
    """Catches what makes a tensor on the card out of none."""

    def __torch_dispatch__(self, operation, types, arguments=(), settings=None):
        settings = settings or {}
        parts = tree.tree_leaves((arguments, settings))
        if any(isinstance(part, (PretendTensor, _TORCHS)) or _is_card(part) for part in parts):
            return _computed(operation, arguments, settings)
        return operation(*arguments, **settings)


def _is_card(part):
    return isinstance(part, torch.device) and part.type == NAME


def _computed(operation, arguments, settings):
    """Compute on the processor what a card would compute, or refuse it as a card does."""
    parts = tree.tree_leaves((arguments, settings))
    makes = [part.type for part in parts if isinstance(part, torch.device)]
    on_card = any(isinstance(part, PretendTensor) for part in parts)
    on_card = NAME in makes if makes else on_card
    _refuse_mixtures(operation, arguments, settings, parts, on_card)
    held = {id(part.held): part for part in parts if isinstance(part, PretendTensor)}
    if torch.Tag.inplace_view in operation.tags and on_card:
        with torch.utils._mode_utils.no_dispatch():  # the shape that torch sees changes, too
            operation(*arguments, **settings)
    arguments, settings = tree.tree_map(_bare, (arguments, settings))

    def dressed(part):
        if not on_card or not isinstance(part, torch.Tensor):
            return part
        return held[id(part)] if id(part) in held else PretendTensor(part)

    # Tensors made in inference mode could not be looked at in parts.
    with torch.inference_mode(False), torch.no_grad(), _without_modes():
        result = _OWN.get(operation, operation)(*arguments, **settings)
        if operation is aten.copy_.default and id(arguments[0]) not in held:
            return result  # to the processor
        if operation is aten._pack_padded_sequence.default:
            return dressed(result[0]), result[1]
        return tree.tree_map(dressed, result)


_without_modes = torch.utils._python_dispatch._disable_current_modes


def _bare(part):
    if isinstance(part, PretendTensor):
        return part.held
    return torch.device("cpu") if _is_card(part) else part


def _refuse_mixtures(operation, arguments, settings, parts, on_card):
    tensors = [part for part in parts if isinstance(part, torch.Tensor)]
    if operation in _INDEXED and isinstance(arguments[0], PretendTensor):
        tensors = [
            arguments[0],
            *(t for t in tree.tree_leaves(arguments[2:]) if isinstance(t, torch.Tensor)),
        ]
    elsewhere = [t for t in tensors if not isinstance(t, PretendTensor) and t.dim()]
    here = [t for t in tensors if isinstance(t, PretendTensor)]
    if operation not in _COPIES | _PACKED and here and elsewhere:
        raise RuntimeError(
            f"Expected all tensors to be on the same device, but {operation} found at least two"
            f" devices, {NAME}:0 and cpu!"
        )
    for part in parts:
        if isinstance(part, _TORCHS) and (part._cdata in _DRAWN_HERE) != on_card:
            raise RuntimeError(f"Expected a generator of the device of {operation}'s result")


def _attention(queries, keys, values, attn_mask=None):
    """Plain products: the fused kernels are each device's own."""
    scores = queries @ keys.mT * queries.shape[-1] ** -0.5
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, -torch.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return scores.softmax(-1) @ values


def _lstm_cell(from_input, from_hidden, cell, bias=None, hidden_bias=None):
    """The fused cell that torch asks of every device but the processor."""
    gates = from_input + from_hidden
    if bias is not None:
        gates = gates + bias + hidden_bias
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    new = f * cell + i * g
    return o * new.tanh(), new, torch.cat([i, f, g, o], 1)


def _lstm_cell_backward(of_hidden, of_cell, cell, new, gates, has_bias):
    i, f, g, o = gates.chunk(4, 1)
    of_hidden = torch.zeros_like(cell) if of_hidden is None else of_hidden
    of_new = of_hidden * o * (1 - new.tanh() ** 2)
    of_new = of_new if of_cell is None else of_new + of_cell
    of_gates = torch.cat(
        [
            of_new * g * i * (1 - i),
            of_new * cell * f * (1 - f),
            of_new * i * (1 - g**2),
            of_hidden * new.tanh() * o * (1 - o),
        ],
        1,
    )
    return of_gates, of_new * f, of_gates.sum(0) if has_bias else None


def _gru_cell(from_input, from_hidden, hidden, bias=None, hidden_bias=None):
    """The fused cell of a GRU, likewise."""
    if bias is not None:
        from_input, from_hidden = from_input + bias, from_hidden + hidden_bias
    (ir, iz, candidate), (hr, hz, remembered) = from_input.chunk(3, 1), from_hidden.chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (candidate + r * remembered).tanh()
    return n + z * (hidden - n), torch.cat([r, z, n, hidden, remembered], 1)


def _gru_cell_backward(gradient, workspace, has_bias):
    r, z, n, hidden, remembered = workspace.chunk(5, 1)
    of_z = gradient * (hidden - n) * z * (1 - z)
    of_n = gradient * (1 - z) * (1 - n**2)
    of_r = of_n * remembered * r * (1 - r)
    of_input, of_hidden = torch.cat([of_r, of_z, of_n], 1), torch.cat([of_r, of_z, of_n * r], 1)
    sums = (of_input.sum(0), of_hidden.sum(0)) if has_bias else (None, None)
    return of_input, of_hidden, gradient * z, *sums


_OWN = {
    aten._thnn_fused_lstm_cell.default: _lstm_cell,
    aten._thnn_fused_lstm_cell_backward_impl.default: _lstm_cell_backward,
    aten._thnn_fused_gru_cell.default: _gru_cell,
    aten._thnn_fused_gru_cell_backward.default: _gru_cell_backward,
}


class _Generator(torch.Generator):
    """Makes generators of the card, too: to torch they are the processor's, to us they are known."""

    def __new__(cls, device="cpu"):
        if torch.device(device).type != NAME:
            return _TORCHS(device)
        made = _TORCHS()
        _DRAWN_HERE[made._cdata] = made
        return made


class _Module(_DummyBackendModule):
    def get_amp_supported_dtype(self):
        return [torch.bfloat16]

    def get_rng_state(self, device=None):
        """Return the processor's: what the card draws is drawn there."""
        del device
        return torch.get_rng_state()

    def set_rng_state(self, state, device=None):
        """Do nothing: the processor's own state is restored as such."""


def _moved(module, function, recurse=True, apply=torch.nn.Module._apply):
    """Move a module that keeps its parameters, as on a card of metal: tied ones stay tied."""
    before = torch.__future__.get_swap_module_params_on_conversion()
    torch.__future__.set_swap_module_params_on_conversion(True)
    try:
        return apply(module, function, recurse)
    finally:
        torch.__future__.set_swap_module_params_on_conversion(before)


# Here and not where a test begins: the first gradient of a process counts the devices once and for all.
if not hasattr(torch, NAME):
    _setup_privateuseone_for_python_backend(NAME, backend_module=_Module())
    # Autocast leaves every operation as it is: there is no arithmetic of the card's own.
    _AUTOCAST.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")


@contextlib.contextmanager
def pretend_card():
    """Have the card in this machine; yields its device."""
    with (
        mock.patch.object(torch, "Generator", _Generator),
        mock.patch.object(torch.nn.Module, "_apply", _moved),
        _Factories(),
    ):
        yield torch.device(NAME)
    _DRAWN_HERE.clear()
