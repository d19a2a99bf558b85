#!/usr/bin/env python3
"""Writes the trained reader as ONNX, as ../../recipe/build_onnx.py writes the encoder: fused operators, 8 bits, outliers moved from activations into weights.

usage: export.py MODEL_DIR reader.pt OUT_DIR       OUT_DIR/onnx/model_quantized.onnx is the one to commit; model_float32.onnx the yardstick
Inputs input_ids, attention_mask, token_type_ids: int64 [1, tokens]: one pair a run, so every token counts.   Output logit: float32 [1].
"""
import hashlib
import json
import logging
import os
import sys

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto as T, helper as h
from tokenizers import Tokenizer

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "recipe"))
import build_onnx as base                                          # noqa: E402
from generate import Maker, from_own                               # noqa: E402
from network import pair_ids                                       # noqa: E402


def with_head(model, weight, bias):
    """Mean over the tokens, then one number."""
    graph = model.graph
    graph.name = "usher-ask-reader"
    graph.initializer.extend([onnx.numpy_helper.from_array(weight.T.copy(), "head.weight"), onnx.numpy_helper.from_array(bias, "head.bias")])
    graph.node.extend([
        h.make_node("ReduceMean", ["last_hidden_state"], ["mean"], name="mean", axes=[1], keepdims=0),
        h.make_node("Gemm", ["mean", "head.weight", "head.bias"], ["logit.1"], name="head"),
        h.make_node("Squeeze", ["logit.1", "head.axis"], ["logit"], name="logit"),
    ])
    graph.initializer.append(onnx.numpy_helper.from_array(np.array([1]), "head.axis"))
    del graph.output[:]
    graph.output.append(h.make_tensor_value_info("logit", T.FLOAT, ["batch_size"]))
    return model


def feeds(pair):
    ids, kinds = pair
    return {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64), "token_type_ids": np.array([kinds], np.int64)}


def peaks(model, pairs):
    """The largest absolute value of each channel of each tensor that a matrix is multiplied with."""
    watched = sorted({n.input[0] for n in model.graph.node if n.op_type in ("MatMul", "Attention")})
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    probe.graph.output.extend(h.make_tensor_value_info(t, T.FLOAT, None) for t in watched)
    session, most = onnxruntime.InferenceSession(probe.SerializeToString()), {}
    for pair in pairs:
        for name, value in zip(watched, session.run(watched, feeds(pair))):
            most[name] = np.maximum(most.get(name, 0), np.abs(value).reshape(-1, value.shape[-1]).max(axis=0))
    return most


def quantize(model, path):
    """As build_onnx.quantize, but the head stays in 32 bits: it has 385 numbers."""
    onnx.save(model, path + ".float")
    base.quantize_dynamic(path + ".float", path, weight_type=base.QuantType.QUInt8, op_types_to_quantize=["MatMul", "Attention"], per_channel=True,
                          reduce_range=False, extra_options={"DefaultTensorType": T.FLOAT})
    os.remove(path + ".float")
    made = onnx.load(path)
    made.ir_version = base.IR_VERSION
    onnx.save(made, path)


def main(model_dir, trained, out):
    logging.getLogger().setLevel(logging.ERROR)
    config = json.load(open(os.path.join(model_dir, "config.json")))
    state = {k: v.numpy() for k, v in torch.load(trained, map_location="cpu")["model"].items()}
    weights = {k.removeprefix("bert."): v for k, v in state.items() if k.startswith("bert.")}
    tokenizer = Tokenizer.from_file(os.path.join(model_dir, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pairs = [pair for pair in (pair_ids(tokenizer, phrases, text) for phrases, text, _, _ in from_own(Maker(11), 600)) if pair]
    os.makedirs(os.path.join(out, "onnx"), exist_ok=True)
    path = lambda name: os.path.join(out, "onnx", name)
    head = lambda graph: with_head(base.build(weights, config, graph), state["head.weight"], state["head.bias"])
    float32 = head(base.Graph())
    onnx.save(float32, path("model_float32.onnx"))
    quantize(head(base.Smoothed(peaks(float32, pairs))), path("model_quantized.onnx"))
    for name in ("model_quantized.onnx", "model_float32.onnx"):
        print(hashlib.sha256(open(path(name), "rb").read()).hexdigest(), os.path.getsize(path(name)), name)


if __name__ == "__main__":
    main(*sys.argv[1:4])
