#!/usr/bin/env python3
"""Makes a checkpoint to train on from the weights that are shipped: export.py backwards.

usage: restore.py MODEL_DIR model_quantized.onnx reader.pt       MODEL_DIR as for train.py
The shipped matrices are 8 bits wide, so this is the network as it is used, not the one that was trained: a step of training moves them further than the rounding did.
The table of words was frozen in training and comes exact from MODEL_DIR.
"""
import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from network import Reader

LAYER = {"projection": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense"}


def matrices(values):
    """Each 8-bit matrix as numbers, with the smoothing of its inputs taken back; rows are inputs."""
    for key in [k for k in values if k.endswith("_quantized")]:
        name = key.removesuffix("_quantized")
        wide = (values[key].astype(np.float32) - values[name + "_zero_point"].astype(np.float32)) * values[name + "_scale"]
        yield name, wide * values[name + ".inv"][:, None] if name + ".inv" in values else wide


def restored(values, state):
    """`state` with everything that the exported model holds put in its place."""
    made = dict(state)

    def put(key, array):
        if made[key].shape != array.shape:
            raise SystemExit(f"{key}: {array.shape} does not fit {tuple(made[key].shape)}; is this the exported reader?")
        made[key] = torch.tensor(array, dtype=torch.float32)

    norms = {"embedding": "bert.embeddings.LayerNorm"}
    for n in range(sum(k.endswith(".qkv.bias") for k in values)):
        layer = f"bert.encoder.layer.{n}."
        last = f"encoder.layer.{n}.end" if f"encoder.layer.{n}.end.g" in values else "last_hidden_state"
        norms |= {f"encoder.layer.{n}.mid": layer + "attention.output.LayerNorm", last: layer + "output.LayerNorm"}
        put(layer + "attention.output.dense.bias", values[f"encoder.layer.{n}.mid.bias"])
        put(layer + "output.dense.bias", values[last + ".bias"])
        put(layer + "intermediate.dense.bias", values[f"encoder.layer.{n}.up.bias"])
        for part, bias in zip(("query", "key", "value"), np.split(values[f"encoder.layer.{n}.qkv.bias"], 3)):
            put(layer + f"attention.self.{part}.bias", bias)
    for short, key in norms.items():
        put(key + ".weight", values[short + ".g"])
        put(key + ".bias", values[short + ".b"])
    for name, matrix in matrices(values):
        if name == "head.weight":
            put("head.weight", matrix.T)
            continue
        layer, part = name.rsplit(".", 1)
        if part != "qkv":
            put(f"bert.{layer}.{LAYER[part]}.weight", matrix.T)
            continue
        for third, block in zip(("query", "key", "value"), np.split(matrix, 3, axis=1)):
            put(f"bert.{layer}.attention.self.{third}.weight", block.T)
    put("bert.embeddings.token_type_embeddings.weight", values["kind"])
    put("bert.embeddings.position_embeddings.weight", values["place"])
    put("head.bias", values["head.bias"])
    return made


def main(model_dir, exported, out):
    values = {i.name: numpy_helper.to_array(i) for i in onnx.load(exported).graph.initializer}
    torch.save({"model": restored(values, Reader(model_dir).state_dict())}, out)


if __name__ == "__main__":
    main(*sys.argv[1:4])
