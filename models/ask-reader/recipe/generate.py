"""Training pairs (phrases, text, label, kind): from routes of our own, from labelled ask sets, from public intent sets, from chatter. Same seed, same pairs."""
import gzip
import json
import os
import random
import re

import wordings
from slips import speech, surface, typing
from wordings import ASKS, CORRECTIONS, FRONTED, NOT_ASKS, PREFACES, gerund, past

HERE = os.path.dirname(os.path.abspath(__file__))
SLOT = re.compile(r"\{(\w+)\}")
ALIASES = {"name": ["person", "contact", "who", "name", "user"], "text": ["text", "message", "words", "content", "issue"], "time": ["time", "when", "hour"], "duration": ["duration", "length", "how_long"],
           "number": ["number", "count", "level", "n", "amount"], "item": ["item", "thing", "product"], "song": ["song", "music", "track", "title"], "place": ["place", "destination", "address"],
           "title": ["title", "name", "document", "file", "thing"], "branch": ["branch", "name"], "service": ["service", "app", "host"], "amount": ["amount", "sum"], "lang": ["language", "lang"],
           "task": ["task", "todo", "what"], "day": ["day", "date", "when"],
           "machine": ["machine", "host", "server", "name"], "address": ["address", "ip", "host"], "volume": ["volume", "disk", "name"], "size": ["size", "capacity"], "domain": ["domain", "site", "name"], "process": ["process", "pid", "job"],
           "path": ["path", "folder", "file"], "plant": ["plant", "plants", "pot"], "medicine": ["medicine", "drug", "pill"], "appointment": ["appointment", "event", "what"], "sport": ["activity", "sport", "workout"],
           "road": ["road", "street", "what"], "room": ["room", "area", "zone"], "percent": ["percent", "level", "brightness"], "fact": ["fact", "what", "content"], "package": ["package", "dependency", "name"],
           "version": ["version", "release", "tag"], "person_service": ["helper", "who", "service"], "film": ["film", "movie", "title"]}
# Kinds of value that are never taken for one another: a trigger filled with the wrong one asks for something else.
KINDS = ["lang", "duration", "amount", "machine", "address", "size", "domain", "process", "plant", "medicine", "appointment", "sport", "road", "room", "percent", "version", "film", "person_service"]
QUESTION_WORDS = set("how why when does did should has have is are was".split())
SLOTTED = ("play", "music", "call", "text", "translat", "calculat", "playlist", "restaurant", "weather", "definition", "spelling", "alarm", "timer", "calendar", "remind", "list", "email", "transfer", "taxi", "uber", "book",
           "ticket", "order", "qa_", "social", "exchange", "directions", "distance", "convert", "change", "recommend", "news", "movie", "recipe", "Play", "Book", "Get", "Rate", "Search", "Add")


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.values = json.load(open(os.path.join(HERE, "slots.json"), encoding="utf-8"))

    def fill(self, text, correct=False):
        """Values for the slots; with `correct`, one of them is corrected in the same breath."""
        corrected = []

        def value(found):
            options = self.values[found.group(1)]
            chosen = self.rng.choice(options)
            if correct and not corrected:
                corrected.append(1)
                return self.rng.choice(["{}, no, {}", "{} no {}", "{}, I mean {}", "{} sorry {}", "{}, wait, {}", "{} or rather {}"]).format(self.rng.choice(options), chosen)
            return chosen
        return SLOT.sub(value, text)

    def misfit(self, text):
        """A trigger with a value of another kind in its first slot that has one of KINDS; None where there is none."""
        kinds = [k for k in SLOT.findall(text) if k in KINDS]
        if not kinds:
            return None
        other = self.rng.choice([k for k in KINDS if k not in SLOT.findall(text) and {k, kinds[0]} not in ({"machine", "address"}, {"machine", "domain"}, {"address", "domain"}, {"duration", "percent"})])
        return self.fill(text.replace("{" + kinds[0] + "}", "{" + other + "}", 1))

    def shown(self, text):
        """A trigger as a route shows it, slots under any of their usual names; sometimes with the value filled in, as a plain phrase."""
        return SLOT.sub(lambda found: "{" + self.rng.choice(ALIASES[found.group(1)]) + "}", text)

    def forms(self, order, parts=None):
        verb, _, rest = order.partition(" ")
        known = verb.isalpha()
        low = verb.lower()
        p = past(low) if known else low
        g = gerund(low) if known else low
        join = lambda v: (v + " " + rest).strip()
        pick = lambda: self.rng.choice(PREFACES)
        made = {"X": order, "I": order, "P": join(p), "G": join(g), "N": self.fill("{name}"), "C": pick(), "C2": pick(), "C3": pick()}
        if parts:
            made.update(V=parts[0], O=parts[1], R=parts[2])
        return made

    def wrap(self, template, forms):
        text = re.sub(r"\{(\w+)\}", lambda found: forms[found.group(1)], template.replace("{{", "\0").replace("}}", "\1")).replace("\0", "{").replace("\1", "}")
        return re.sub(r"\s+", " ", text).replace(" ,", ",").replace(" ?", "?").replace(" .", ".").strip()

    def noise(self, text, much=0.22):
        roll = self.rng.random()
        if roll < much * 0.6:
            text = typing(self.rng, text)
        elif roll < much:
            return speech(self.rng, text)
        return surface(self.rng, text)

    def ask(self, order, parts=None, other=None):
        """Some wording that asks for it now, and its kind."""
        forms = self.forms(order, parts)
        roll = self.rng.random()
        if roll < 0.16:
            return self.noise(order, 0.5), "plain"
        if roll < 0.28 and parts and parts[1]:
            return self.noise(self.wrap(self.rng.choice(FRONTED), forms), 0.1), "order"
        if roll < 0.38 and other:
            forms["X2"], forms["G2"] = other, self.forms(other)["G"]
            return self.noise(self.wrap(self.rng.choice(CORRECTIONS), forms), 0.1), "correction"
        kind = self.rng.choice(["polite", "polite", "polite", "filler-words", "filler-words", "filler-words.preface", "filler-words.preface", "multilingual", "long-context"])
        text = self.wrap(self.rng.choice(ASKS[kind]), forms)
        if kind == "polite" and self.rng.random() < 0.25:
            text = self.wrap(self.rng.choice(ASKS[self.rng.choice(["filler-words", "filler-words.preface"])]), dict(self.forms(text), X=text))
        return self.noise(text, 0.15), kind.split(".")[0]

    def not_ask(self, order, plain=True):
        kind = self.rng.choice(list(NOT_ASKS))
        forms = self.forms(order)
        template = self.rng.choice(NOT_ASKS[kind])
        if not plain and ("{P}" in template or "{G}" in template):
            template = self.rng.choice(wordings.templates("don't {X} | {X}, no wait, don't | {X} if it rains | tomorrow {X} | why {X}? | \"{X}\" is on the sign | # {X} | she said {X} | the {X} button is broken"))
        text = self.wrap(template, forms)
        if self.rng.random() < 0.12:
            text = typing(self.rng, text)
        return text.rstrip("?.") if self.rng.random() < 0.3 else text, kind

    def phrases(self, triggers):
        count = len(triggers) if self.rng.random() < 0.3 else self.rng.randint(1, min(5, len(triggers)))
        return self.rng.sample(triggers, count)


def own_routes():
    routes = []
    for line in open(os.path.join(HERE, "routes.txt"), encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        fields = [[item.strip() for item in field.split(" | ") if item.strip()] for field in line.strip().split(">>")]
        split = [[part.strip() for part in trigger.split("/")] for trigger in fields[0]]
        split = [(s + ["", ""])[:3] for s in split]
        routes.append({"parts": split, "triggers": [" ".join(p for p in s if p) for s in split], "also": fields[1], "back": fields[2], "near": fields[3], "talk": fields[4]})
    return routes


def open_verbs(route):
    """First words of triggers whose slot would take any object: what begins so may well be theirs."""
    return {p[0].split(" ")[0] for p in route["parts"] if p[1].startswith("{")}


def from_own(maker, count):
    rng, routes = maker.rng, own_routes()
    typed = [r for r in routes if any(k in KINDS for t in r["triggers"] for k in SLOT.findall(t))]
    for _ in range(count):
        route = rng.choice(typed if rng.random() < 0.3 else routes)
        shown = [maker.shown(t) for t in maker.phrases(route["triggers"] + (rng.sample(route["also"], 2) if rng.random() < 0.3 else []))]
        roll = rng.random()
        slotted = any("{" in t for t in route["triggers"])
        if roll < 0.26:
            at = rng.randrange(len(route["parts"]))
            parts = [maker.fill(p) for p in route["parts"][at]]
            order = " ".join(p for p in parts if p)
            if slotted and rng.random() < 0.12:
                yield shown, maker.noise(maker.fill(route["triggers"][at], True), 0.1), 1, "own.correction"
                continue
            other = maker.fill(rng.choice(route["back"] + route["near"]))
            if rng.random() < 0.08:
                second = maker.fill(rng.choice(rng.choice(routes)["triggers"]))
                text = rng.choice(["{} and {}", "{}, then {}", "{}. {}", "{} and then {}", "{}; also {}"]).format(*rng.sample([order, second], 2))
                yield shown, maker.noise(text, 0.1), 1, "own.two-asks"
                continue
            text, kind = maker.ask(order, parts, other)
            yield shown, text, 1, "own." + kind
        elif roll < 0.44:
            text = maker.fill(rng.choice(route["also"]))
            if rng.random() < 0.5:
                text, _ = maker.ask(text)
            else:
                text = maker.noise(text, 0.1)
            yield shown, text, 1, "own.paraphrase"
        elif roll < 0.68:
            order = maker.fill(rng.choice(route["triggers"] + (route["also"] if rng.random() < 0.3 else [])))
            text, kind = maker.not_ask(order)
            yield shown, text, 0, "own." + kind
        elif roll < 0.80:
            text = (maker.misfit(rng.choice(route["triggers"])) if rng.random() < 0.4 else None) or maker.fill(rng.choice(route["near"]))
            yield shown, maker.ask(text)[0] if rng.random() < 0.6 else text, 0, "own.near-action"
        elif roll < 0.89:
            text = maker.fill(rng.choice(route["back"]))
            yield shown, maker.ask(text)[0] if rng.random() < 0.5 else text, 0, "own.undo"
        elif roll < 0.94:
            yield shown, maker.noise(maker.fill(rng.choice(route["talk"])), 0.05), 0, "own.other-sense"
        else:
            other = rng.choice([r for r in routes if r is not route])
            order = maker.fill(rng.choice(other["triggers"] + other["also"]))
            if order.split(" ")[0] in open_verbs(route):
                continue
            yield shown, maker.ask(order)[0], 0, "own.other-route"


def words(text):
    return set(re.findall(r"[a-z']+", text.lower())) - {"the", "a", "an", "to", "my", "of", "for", "in", "on", "please", "it", "and", "is", "i"}


def nearest(routes, text, rng, count):
    """The routes that share most words with a text, in part by lot."""
    mine = words(text)
    scored = sorted(routes, key=lambda r: -len(mine & r["words"]) / (len(r["words"]) ** 0.5) - rng.random() * 0.3)
    return scored[:count]


def load_sets(folder, names):
    sets = []
    for name in names:
        data = json.load(open(os.path.join(folder, name + ".json"), encoding="utf-8"))
        for route in data["routes"]:
            route["words"] = words(" ".join(route["triggers"]))
        sets.append((name, data["routes"], data["cases"]))
    return sets


ALLOWED = ("user", "voice")


def from_sets(maker, sets, fresh=(), share=1.0):
    """Each case with its own route and with the nearest others of its set; and the grammar around the cases that are plain asks.

    With `share` below 1, only such a part of the cases (by lot, anew each epoch) of the sets that are not `fresh`: for a stage that starts from a reader that has seen them often.
    """
    rng = maker.rng
    for name, routes, cases in sets:
        by_name = {r["name"]: r for r in routes}
        for case in cases:
            if case["source"] not in ALLOWED or (name not in fresh and share < 1 and rng.random() >= share):
                continue
            text, kind = case["text"], case["kind"]
            if case["route"]:
                own = by_name[case["route"]]
                yield maker.phrases(own["triggers"]), text, 1, "set." + kind
                for other in nearest([r for r in routes if r is not own], text, rng, 1):
                    yield maker.phrases(other["triggers"]), text, 0, "set.other-route"
                if kind in ("exact", "slot", "paraphrase") and len(text.split()) <= 9:
                    plain = text.strip(" .!\"")
                    plain = plain[:1].lower() + plain[1:]
                    for wanted in (1, 1, 0, 0, 0):
                        made, how = maker.ask(plain) if wanted else maker.not_ask(plain)
                        yield maker.phrases(own["triggers"]), made, wanted, "around." + how
            else:
                for other in nearest(routes, text, rng, 2 if kind != "chatter" else 1):
                    yield maker.phrases(other["triggers"]), text, 0, "set." + kind


LEAD = re.compile(r"^(please|can you|could you|would you|i want you to|i need you to|hey|ok|olly|go ahead and|will you)\s+(please\s+)?")


def intents(folder):
    """label -> (orders, questions) of the public intent sets."""
    verbs = {r["parts"][i][0].split(" ")[0] for r in own_routes() for i in range(len(r["parts"]))} | set(wordings.PAST)
    verbs |= set("activate adjust arrange ask check confirm connect create decrease delete describe disable enable find increase insert locate lower mute move name notify pause post raise recommend refill remove rename repeat replace report request reserve reset resume schedule search share shuffle skip suggest switch sync tell text transfer translate update use change clear complete cook download erase explain freeze mark order purchase rate roll silence speak stream submit unmute upload whisper".split())
    verbs -= {"do", "say", "be", "go", "come", "read", "light", "lights"}
    found = {}
    for name in ("clinc150/train", "hwu64/train", "snips/train"):
        for line in gzip.open(os.path.join(folder, name + ".jsonl.gz"), "rt", encoding="utf-8"):
            row = json.loads(line)
            text = row["text"].strip().rstrip(".?!")
            if len(text) > 90 or len(text.split()) < 2:
                continue
            label = name[:2] + row["label"]
            orders, questions = found.setdefault(label, ([], []))
            bare = LEAD.sub("", LEAD.sub("", text.lower()))
            bare = re.sub(r"\s+(please|for me|olly)$", "", bare)
            if bare.split(" ")[0] in ("tell", "give", "let", "show", "find", "explain", "get") and len(orders) > 12:
                continue        # requests for information: a few are enough
            if bare.split(" ")[0] in verbs and len(bare.split()) > 1:
                orders.append(bare)
            elif text.lower().split(" ")[0] in QUESTION_WORDS:
                questions.append(text)
    return {label: both for label, both in found.items() if len(both[0]) >= 8}


def from_intents(maker, folder, count):
    rng, table = maker.rng, intents(folder)
    labels = sorted(table)
    nouns = sorted({w for orders, _ in table.values() for o in orders for w in o.split()[1:] if len(w) > 3 and w.isalpha()})
    for _ in range(count):
        label = rng.choice(labels)
        orders, questions = table[label]
        slotted = any(s in label for s in SLOTTED)
        order = rng.choice(orders)
        # Siblings with other values are other asks; without slots they are the same one in other words.
        phrases = [order] + ([] if slotted else rng.sample(orders, min(len(orders), rng.randint(0, 3))))
        rng.shuffle(phrases)
        roll = rng.random()
        if roll < 0.34:
            text, kind = maker.ask(order)
            yield phrases, text, 1, "intent." + kind
        elif roll < 0.46 and not slotted:
            other = rng.choice(orders)
            yield phrases, maker.ask(other)[0] if rng.random() < 0.5 else other, 1, "intent.paraphrase"
        elif roll < 0.76:
            text, kind = maker.not_ask(order)
            yield phrases, text, 0, "intent." + kind
        elif roll < 0.84 and questions:
            yield phrases, rng.choice(questions), 0, "intent.question"
        elif roll < 0.92:
            parts = order.split()
            places = [i for i in range(1, len(parts)) if len(parts[i]) > 3]
            if not places:
                continue
            at = rng.choice(places)
            noun = rng.choice(nouns)
            if noun == parts[at]:
                continue
            parts[at] = noun
            yield phrases, maker.ask(" ".join(parts))[0], 0, "intent.near-action"
        else:
            other = rng.choice(labels)
            if other == label or other[2:5] == label[2:5]:
                continue
            pool = [o for o in table[other][0] if o.split()[0] == order.split()[0]] or table[other][0]
            yield phrases, rng.choice(pool), 0, "intent.other-route"


def from_chatter(maker, folder, sets, count):
    """Lines that nobody meant for a router, each with the route that shares most words with it."""
    rng = maker.rng
    routes = [r for _, rs, _ in sets for r in rs]
    for route in own_routes():
        routes.append({"triggers": [maker.shown(t) for t in route["triggers"]], "words": words(" ".join(SLOT.sub("", t) for t in route["triggers"]))})
    lines = []
    for name in ("chat", "commits", "issues", "logs", "alerts"):
        rows = [json.loads(line)["text"] for line in gzip.open(os.path.join(folder, "chatter", name + ".jsonl.gz"), "rt", encoding="utf-8")]
        lines += rng.sample(rows, min(len(rows), count // 5))
    rng.shuffle(lines)
    for line in lines:
        text = line[:300]
        route = nearest(routes, text, rng, 1)[0]
        if words(text) & route["words"]:
            yield maker.phrases(route["triggers"]), text, 0, "chatter"


def pairs(seed, eval_dir, data_dir, names, own, intent, chatter, fresh=(), share=1.0):
    """One epoch's pairs, in a fixed order."""
    maker = Maker(seed)
    sets = load_sets(eval_dir, names)
    made = list(from_sets(maker, sets, fresh, share)) + list(from_own(maker, own)) + list(from_intents(maker, data_dir, intent)) + list(from_chatter(maker, data_dir, sets, chatter))
    maker.rng.shuffle(made)
    return made
