#!/usr/bin/env python3
"""How far the 8-bit build is from the 32-bit one: each case of some ask sets with one route.

usage: compare.py MODEL_DIR EVAL_DIR NAME,NAME FLOAT32.onnx QUANTIZED.onnx
"""
import json
import os
import random
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from generate import nearest, words
from network import pair_ids


def main(model_dir, eval_dir, names, *files):
    tokenizer = Tokenizer.from_file(os.path.join(model_dir, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    sessions = [onnxruntime.InferenceSession(file, options) for file in files]
    rng, logits = random.Random(1), []
    for name in names.split(","):
        data = json.load(open(os.path.join(eval_dir, name + ".json"), encoding="utf-8"))
        for route in data["routes"]:
            route["words"] = words(" ".join(route["triggers"]))
        for case in data["cases"]:
            route = next((r for r in data["routes"] if r["name"] == case["route"]), None) or nearest(data["routes"], case["text"], rng, 1)[0]
            pair = pair_ids(tokenizer, route["triggers"], case["text"])
            if pair:
                feed = {"input_ids": np.array([pair[0]]), "attention_mask": np.ones((1, len(pair[0])), np.int64), "token_type_ids": np.array([pair[1]])}
                logits.append([float(session.run(None, feed)[0][0]) for session in sessions])
    a, b = np.array(logits).T
    p, q = 1 / (1 + np.exp(-a)), 1 / (1 + np.exp(-b))
    print(f"{len(a)} pairs: logit error mean {np.abs(a - b).mean():.3f}, max {np.abs(a - b).max():.3f}, correlation {np.corrcoef(a, b)[0, 1]:.4f}; "
          f"probability error mean {np.abs(p - q).mean():.4f}, max {np.abs(p - q).max():.3f}; other side of 0.5: {int(((p > 0.5) != (q > 0.5)).sum())}")


if __name__ == "__main__":
    main(*sys.argv[1:6])
