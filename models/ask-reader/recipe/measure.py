#!/usr/bin/env python3
"""What the reader alone says on labelled ask sets: each allowed case against every route of its set, the best route counts.

usage: measure.py --model MODEL_DIR --eval EVAL_DIR --sets NAME,NAME (--weights reader.pt | --onnx model.onnx) [--kinds] [--scores FILE]
"""
import argparse
import collections
import json
import os

import numpy as np
from tokenizers import Tokenizer

from network import batch, pair_ids

ALLOWED = ("user", "voice")


def scorer(args):
    """ids, mask, kinds -> logits"""
    if args.onnx:
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(args.onnx, options)
        return lambda items: [float(session.run(None, {"input_ids": np.array([i]), "attention_mask": np.ones((1, len(i)), np.int64), "token_type_ids": np.array([k])})[0][0]) for i, k in items]
    import torch
    from network import Reader
    torch.set_num_threads(2)
    model = Reader(args.model)
    model.load_state_dict(torch.load(args.weights)["model"])
    model.eval()

    def run(items):
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=args.fast):
            return model(*batch(items)).tolist()
    return run


def score_set(run, tokenizer, routes, cases, size=64):
    """case -> [(logit, route)] best first"""
    work = []
    for n, case in enumerate(cases):
        for route in routes:
            pair = pair_ids(tokenizer, route["triggers"], case["text"])
            if pair:
                work.append((n, route["name"], pair))
    work.sort(key=lambda w: len(w[2][0]))
    found = collections.defaultdict(list)
    for i in range(0, len(work), size):
        for (n, name, _), logit in zip(work[i:i + size], run([w[2] for w in work[i:i + size]])):
            found[n].append((logit, name))
    return [sorted(found[n], reverse=True) for n in range(len(cases))]


def main():
    parser = argparse.ArgumentParser()
    for name in ("model", "eval", "sets", "weights", "onnx", "scores"):
        parser.add_argument("--" + name)
    parser.add_argument("--kinds", action="store_true")
    parser.add_argument("--fast", action="store_true", help="bfloat16, for a look during training")
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(os.path.join(args.model, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    run, rows = scorer(args), []
    for name in args.sets.split(","):
        data = json.load(open(os.path.join(args.eval, name + ".json"), encoding="utf-8"))
        cases = [c for c in data["cases"] if c["source"] in ALLOWED]
        for case, scores in zip(cases, score_set(run, tokenizer, data["routes"], cases)):
            rows.append((scores[0][0] if scores else -99.0, scores[0][1] if scores else None, case["route"], case["kind"], name, case["text"]))
    negatives = sorted((r[0] for r in rows if r[2] is None), reverse=True)
    positives = [r for r in rows if r[2]]
    print(f"{args.sets}: {len(positives)} asks, {len(negatives)} that must not fire")
    for share in (0, 0.002, 0.005, 0.01, 0.02, 0.05):
        at = negatives[int(share * len(negatives))]
        hits = [r for r in positives if r[0] > at and r[1] == r[2]]
        wrong = sum(1 for r in positives if r[0] > at and r[1] != r[2])
        print(f"  false fires {share:6.1%}: logit > {at:6.2f}, asks {len(hits)} ({len(hits) / len(positives):.1%}), wrong route {wrong}")
        if args.kinds and share in (0.01, 0.05):
            all_, hit = collections.Counter(r[3] for r in positives), collections.Counter(r[3] for r in hits)
            false = collections.Counter(r[3] for r in rows if r[2] is None and r[0] > at)
            print("    asks " + ", ".join(f"{k} {hit[k]}/{all_[k]}" for k in sorted(all_)) + "; false " + ", ".join(f"{k} {n}" for k, n in false.most_common()))
    if args.scores:
        with open(args.scores, "w", encoding="utf-8") as out:
            for row in rows:
                out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
