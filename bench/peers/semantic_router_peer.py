"""semantic-router over the same ONNX file, one JSON command a line on stdin, one answer a line on stdout.

Its encoder interface is given the committed model through onnxruntime: one text a run, mean pooling, unit length, as Usher does.
"""
import json
import os
import sys
import time

started = time.perf_counter()
model_dir, threads = sys.argv[1], int(sys.argv[2])

import logging  # noqa: E402

logging.disable(logging.WARNING)

import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import semantic_router  # noqa: E402
from semantic_router import Route  # noqa: E402
from semantic_router.encoders.base import DenseEncoder  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

tokenizer = Tokenizer.from_file(os.path.join(model_dir, "tokenizer.json"))
tokenizer.enable_truncation(512)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = threads
session = onnxruntime.InferenceSession(os.path.join(model_dir, "onnx/model_quantized.onnx"), options, providers=["CPUExecutionProvider"])


def encode(text):
    ids = tokenizer.encode(text).ids
    feed = {
        "input_ids": np.array([ids], dtype=np.int64),
        "attention_mask": np.ones((1, len(ids)), dtype=np.int64),
        "token_type_ids": np.zeros((1, len(ids)), dtype=np.int64),
    }
    vector = session.run(None, feed)[0][0].mean(axis=0)
    return vector / np.linalg.norm(vector)


# Version 0.1 has SemanticRouter with a threshold of the encoder, version 1 IndexedRouter with one of its own.
OLD = hasattr(semantic_router, "SemanticRouter")


# Vectors that were made before by the same model, by text: a hundred thousand phrases need not be embedded by each peer again.
ready = {}


def read_vectors(path, texts):
    matrix = np.fromfile(path, dtype=np.float32).reshape(len(texts), -1)
    ready.update(zip(texts, matrix))


class OnnxEncoder(DenseEncoder):
    name: str = "all-MiniLM-L6-v2"
    type: str = "onnx"

    def __call__(self, docs):
        return [(ready[doc] if doc in ready else encode(doc)).tolist() for doc in docs]


def load(routes, threshold):
    made = [Route(name=route["name"], utterances=route["utterances"]) for route in routes]
    if OLD:
        encoder = OnnxEncoder(score_threshold=threshold)
        return semantic_router.SemanticRouter(encoder=encoder, routes=made, top_k=5, aggregation="max", auto_sync="local")
    return semantic_router.IndexedRouter(encoder=OnnxEncoder(), routes=made, top_k=5, aggregation="max", confidence_threshold=threshold)


def timed(work, texts):
    times = []
    results = []
    for text in texts:
        start = time.perf_counter()
        results.append(work(text))
        times.append((time.perf_counter() - start) * 1000)
    return times, results


def choice(router, text):
    found = router(text)
    found = found[0] if isinstance(found, list) and found else found
    score = getattr(found, "similarity_score", None) if OLD else getattr(found, "confidence", None)
    return getattr(found, "name", None) or None, score


router = None
for line in sys.stdin:
    command = json.loads(line)
    answer = {}
    if command["op"] == "load":
        start = time.perf_counter()
        if "vectors" in command:
            read_vectors(command["vectors"], [text for route in command["routes"] for text in route["utterances"]])
        router = load(command["routes"], command.get("threshold", 0.5))
        answer["ms"] = (time.perf_counter() - start) * 1000
        answer["sinceStart"] = (time.perf_counter() - started) * 1000
    elif command["op"] == "encode":
        answer["ms"], _ = timed(encode, command["texts"])
    elif command["op"] == "route":
        answer["ms"], found = timed(lambda text: choice(router, text), command["texts"])
        answer["routes"] = [name for name, _ in found]
        answer["scores"] = [None if score is None else float(score) for _, score in found]
    elif command["op"] == "throughput":
        start = time.perf_counter()
        for text in command["texts"]:
            choice(router, text)
        answer["ms"] = (time.perf_counter() - start) * 1000
    print(json.dumps(answer), flush=True)
