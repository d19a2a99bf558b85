#!/usr/bin/env python3
"""Writes the trained reader as ONNX, as ../../recipe/build_onnx.py writes the encoder: fused operators, 8 bits, outliers moved from activations into weights.

usage: export.py MODEL_DIR reader.pt OUT_DIR FLOAT32.onnx       OUT_DIR gets the model folder as Usher loads it, without thresholds; FLOAT32.onnx is the yardstick
Inputs input_ids, attention_mask, token_type_ids: int64 [1, tokens]: one pair a run, so every token counts.   Output logit: float32 [1].
"""
import hashlib
import json
import logging
import os
import shutil
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
from network import PHRASE_TOKENS, TEXT_TOKENS, pair_ids                                       # noqa: E402


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


def manifest(out, encoder):
    """The encoder's own tokeniser files beside the weights, and a list of all with their hashes."""
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(os.path.join(encoder, name), os.path.join(out, name))
    files = {name: hashlib.sha256(open(os.path.join(out, name), "rb").read()).hexdigest() for name in ("tokenizer.json", "tokenizer_config.json", "onnx/model_quantized.onnx")}
    made = {"name": "ask-reader", "quantisation": "q8", "dimension": 1, "maxTokens": PHRASE_TOKENS + TEXT_TOKENS + 3, "weights": "onnx/model_quantized.onnx", "files": files}
    with open(os.path.join(out, "model.json"), "w", encoding="utf-8") as file:
        file.write(json.dumps(made, indent=2) + "\n")
    return files


def main(model_dir, trained, out, yardstick):
    logging.getLogger().setLevel(logging.ERROR)
    config = json.load(open(os.path.join(model_dir, "config.json")))
    state = {k: v.numpy() for k, v in torch.load(trained, map_location="cpu")["model"].items()}
    weights = {k.removeprefix("bert."): v for k, v in state.items() if k.startswith("bert.")}
    tokenizer = Tokenizer.from_file(os.path.join(model_dir, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pairs = [pair for pair in (pair_ids(tokenizer, phrases, text) for phrases, text, _, _ in from_own(Maker(11), 600)) if pair]
    os.makedirs(os.path.join(out, "onnx"), exist_ok=True)
    head = lambda graph: with_head(base.build(weights, config, graph), state["head.weight"], state["head.bias"])
    float32 = head(base.Graph())
    onnx.save(float32, yardstick)
    quantize(head(base.Smoothed(peaks(float32, pairs))), os.path.join(out, "onnx", "model_quantized.onnx"))
    for name, digest in manifest(out, os.path.join(HERE, "..", "..", "all-MiniLM-L6-v2")).items():
        print(digest, os.path.getsize(os.path.join(out, name)), name)


if __name__ == "__main__":
    main(*sys.argv[1:5])
