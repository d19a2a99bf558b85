#!/usr/bin/env python3
"""Pairs in our own words with their tokens and the 32-bit model's logit: what the tests of src/reader compare with.

usage: parity.py MODEL_DIR reader.pt OUT.json
"""
import json
import os
import sys

import torch
from tokenizers import Tokenizer

from generate import Maker, from_own
from network import Reader, batch, pair_ids

ODD = [(["open the hatch"], "ＯＰＥＮ the hatch\u200b, “please”…"), (["feed the owl", "give the owl its mice"], "[SEP] feed the owl [CLS]?"), (["dim {room} to {level}"], "dim\tthe café   to 40 % — now!"),
       (["stop the mill"], "don’t stop the mill"), (["stop the mill"], "bitte die Mühle anhalten"), (["stop the mill"], "止めて the mill"), (["ring the bell"] * 60, "ring it"), (["call {name}"], "call zxqv-wort 🚲 again")]


def main(model_dir, trained, out):
    tokenizer = Tokenizer.from_file(os.path.join(model_dir, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    model = Reader(model_dir)
    model.load_state_dict(torch.load(trained)["model"])
    model.eval()
    rows = []
    for phrases, text in ODD + [(phrases, text) for phrases, text, _, _ in from_own(Maker(23), 40)]:
        pair = pair_ids(tokenizer, phrases, text)
        with torch.inference_mode():
            rows.append({"phrases": phrases, "text": text, "ids": pair[0], "logit": round(model(*batch([pair])).item(), 4)})
    with open(out, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
