"""hassil (Home Assistant's sentence matcher) with the triggers as sentence templates. One JSON command a line on stdin, one answer a line on stdout."""
import json
import re
import sys
import time

from hassil import Intents, recognize_best
from hassil.intents import TextSlotList  # noqa: F401  (part of the version check: the name must exist)

SKIP = [
    "please", "could you", "can you", "would you", "will you", "would you mind", "i want you to", "i would like you to", "i'd like you to", "go ahead and",
    "hey", "hi", "hello", "ok", "okay", "alright", "so", "well", "um", "uh", "just", "quickly", "actually", "now", "right now", "for me", "if you can",
    "thanks", "thank you", "kindly", "pretty please", "cheers",
]


def load(routes):
    slots = {slot for route in routes for text in route["utterances"] for slot in re.findall(r"\{([^{}:]+)", text)}
    return Intents.from_dict({
        "language": "en",
        "intents": {route["name"]: {"data": [{"sentences": [re.sub(r"\{([^{}:]+):[^{}]*\}", r"{\1}", text) for text in route["utterances"]]}]} for route in routes},
        "lists": {slot: {"wildcard": True} for slot in slots},
        "skip_words": SKIP,
    })


intents = None
for line in sys.stdin:
    command = json.loads(line)
    answer = {}
    start = time.perf_counter()
    if command["op"] == "load":
        intents = load(command["routes"])
        answer["ms"] = (time.perf_counter() - start) * 1000
    elif command["op"] == "route":
        answer["ms"], answer["routes"] = [], []
        for text in command["texts"]:
            begin = time.perf_counter()
            found = recognize_best(text, intents)
            answer["ms"].append((time.perf_counter() - begin) * 1000)
            answer["routes"].append(found.intent.name if found else None)
    print(json.dumps(answer), flush=True)
