#!/usr/bin/env python3
"""The mean of the weights of several stages that go back to the same one: steadier than each alone (model soups, Wortsman and others 2022).

usage: average.py OUT.pt READER.pt READER.pt [READER.pt ...]
"""
import sys

import torch


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    out, *files = sys.argv[1:]
    stages = [torch.load(file)["model"] for file in files]
    if any(stage.keys() != stages[0].keys() for stage in stages):
        sys.exit("these are not stages of one network: their weights have other names")
    mean = {name: (sum(stage[name].double() for stage in stages) / len(stages)).to(stages[0][name].dtype) for name in stages[0]}
    torch.save({"model": mean, "step": 0, "loss": None}, out)


if __name__ == "__main__":
    main()
