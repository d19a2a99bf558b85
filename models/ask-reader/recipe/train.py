#!/usr/bin/env python3
"""Trains the second reader: a cross-encoder on the encoder's own weights.

usage: train.py --model MODEL_DIR --eval EVAL_DIR --data DATA_DIR --out OUT_DIR [--leave NAME,NAME] [--steps N] [--batch N] [--seed N] [--rate R] [--threads N] [--start reader.pt] [--until HH:MM]
                [--fresh NAME,NAME --share P]
       MODEL_DIR holds config.json, model.safetensors, tokenizer.json of all-MiniLM-L6-v2; EVAL_DIR the labelled ask sets; DATA_DIR the public intent sets and the chatter.
Stops at --until or when OUT_DIR/stop exists, and writes what it reached; started again with the same arguments it goes on from the last checkpoint.
"""
import argparse
import datetime
import json
import os
import random

import torch
from tokenizers import Tokenizer
from tqdm import tqdm

from generate import pairs
from network import Reader, batch, pair_ids

# Kept for the figure: measured, never opened, never trained on.
KEPT = {"asks-office", "asks-community", "asks-terse"}
WARMUP, DECAY, SMOOTHING = 0.06, 0.01, 0.02


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("model", "eval", "data", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--leave", default="")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2, help="1 where other work shares the cores: two threads then mostly wait for each other")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--start")
    parser.add_argument("--until")
    parser.add_argument("--own", type=int, default=8000)
    parser.add_argument("--intent", type=int, default=6000)
    parser.add_argument("--chatter", type=int, default=2500)
    parser.add_argument("--fresh", default="", help="sets of which every case is used; of the others the part that --share says")
    parser.add_argument("--share", type=float, default=1.0)
    return parser.parse_args()


def batches(args, tokenizer, names, epoch):
    """One epoch: pairs of like length share a batch, batches come in mixed order."""
    rng = random.Random(args.seed * 1000 + epoch)
    made = []
    for phrases, text, label, _ in pairs(args.seed * 1000 + epoch, args.eval, args.data, names, args.own, args.intent, args.chatter, args.fresh.split(","), args.share):
        encoded = pair_ids(tokenizer, phrases, text)
        if encoded:
            made.append((encoded, label))
    made.sort(key=lambda item: (len(item[0][0]) + rng.random() * 6))
    groups = [made[i:i + args.batch] for i in range(0, len(made) - args.batch + 1, args.batch)]
    rng.shuffle(groups)
    return groups


def save(path, model, optimizer, step, epoch, at):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "epoch": epoch, "at": at}, path + ".part")
    os.replace(path + ".part", path)


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    os.makedirs(args.out, exist_ok=True)
    tokenizer = Tokenizer.from_file(os.path.join(args.model, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    names = sorted(f[:-5] for f in os.listdir(args.eval) if f.endswith(".json"))
    names = [n for n in names if n not in KEPT and n not in args.leave.split(",")]
    model = Reader(args.model)
    model.bert.embeddings.word_embeddings.weight.requires_grad = False     # half of all parameters, and rare words must keep their places
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=args.rate, weight_decay=DECAY)
    schedule = lambda step: min(1.0, (step + 1) / (args.steps * WARMUP)) * max(0.02, 1 - step / args.steps)
    step, epoch, at = 0, 0, 0
    checkpoint = os.path.join(args.out, "checkpoint.pt")
    if os.path.exists(checkpoint):
        state = torch.load(checkpoint)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, epoch, at = state["step"], state["epoch"], state["at"]
    elif args.start:
        model.load_state_dict(torch.load(args.start)["model"])
    json.dump({"sets": names, **vars(args)}, open(os.path.join(args.out, "run.json"), "w"), indent=1)
    bar, mean = tqdm(total=args.steps, initial=step, mininterval=20), None
    stopped = False
    model.train()
    while step < args.steps and not stopped:
        groups = batches(args, tokenizer, names, epoch)
        for at in range(at, len(groups)):
            torch.manual_seed(args.seed * 1_000_003 + step)                # a run that was stopped goes on with the same dropout
            for group in optimizer.param_groups:
                group["lr"] = args.rate * schedule(step)
            ids, mask, kinds = batch([pair for pair, _ in groups[at]])
            wanted = torch.tensor([float(label) for _, label in groups[at]])
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(ids, mask, kinds)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted * (1 - SMOOTHING) + SMOOTHING / 2)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
            bar.update()
            bar.set_postfix(loss=f"{mean:.3f}", epoch=epoch, pairs=len(groups) * args.batch, refresh=False)
            late = args.until and datetime.datetime.now().strftime("%H:%M") >= args.until
            stopped = step >= args.steps or bool(late) or os.path.exists(os.path.join(args.out, "stop"))
            if step % 100 == 0 or stopped:
                save(checkpoint, model, optimizer, step, epoch, at + 1)
            if stopped:
                break
        else:
            epoch, at = epoch + 1, 0
    torch.save({"model": model.state_dict(), "step": step, "loss": mean}, os.path.join(args.out, "reader.pt"))
    bar.close()
    print(f"{step} steps, loss {mean}")


if __name__ == "__main__":
    main()
