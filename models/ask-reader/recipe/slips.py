"""Slips of typing and of speech recognition, and what a keyboard does to a text. All of them leave the ask what it is."""

NEAR = {"a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "mb", "o": "ip", "p": "o", "q": "w",
        "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x"}
# Words that a recogniser takes for one another; read both ways.
HEARD = [w.split("/") for w in """to/two/too for/four/fore lights/lice/lites cache/cash mail/male right/write/rite plants/plans there/their/they're your/you're know/no hour/our buy/by/bye night/knight sea/see
week/weak meet/meat sale/sail pair/pear break/brake one/won ate/eight hear/here road/rode/rowed flour/flower whole/hole wait/weight son/sun tail/tale be/bee blue/blew red/read threw/through allowed/aloud
bored/board cell/sell cent/sent/scent dear/deer die/dye fair/fare feet/feat heal/heel hire/higher idle/idol in/inn key/quay knot/not lead/led lessen/lesson loan/lone made/maid main/mane mind/mined morning/mourning
pain/pane patience/patients peace/piece plain/plane pole/poll pour/poor principal/principle rain/reign raise/rays root/route sauce/source seam/seem some/sum stair/stare steal/steel tire/tyre toe/tow vain/vein
waist/waste ware/wear/where way/weigh witch/which would/wood bin/been doc/dock file/vial desk/disk ticket/thicket door/doer screen/scream post/posed lock/log car/card gate/gait bell/belle oven/of in
branch/brunch merge/urge draft/draught""".split()]
HEARD_OF = {}
for group in HEARD:
    for word in group:
        HEARD_OF.setdefault(word, [w for w in group if w != word])
# A slip must not turn the ask into another one.
FRAGILE = {"on", "off", "up", "down", "not", "don't", "no", "un", "in", "out", "open", "close", "lock", "unlock", "start", "stop", "it"}


def typing(rng, text):
    words = text.split(" ")
    places = [i for i, w in enumerate(words) if len(w) > 3 and w.isalpha() and w not in FRAGILE]
    if not places:
        return text
    for at in rng.sample(places, min(len(places), 2 if rng.random() < 0.2 else 1)):
        w = words[at]
        i = rng.randrange(1, len(w) - 1)
        how = rng.randrange(5)
        if how == 0:
            w = w[:i] + w[i + 1] + w[i] + w[i + 2:]
        elif how == 1:
            w = w[:i] + w[i + 1:]
        elif how == 2:
            w = w[:i] + w[i] + w[i:]
        elif how == 3:
            w = w[:i] + rng.choice(NEAR.get(w[i].lower(), "e")) + w[i + 1:]
        else:
            w = w[1] + w[0] + w[2:]
        words[at] = w
    return " ".join(words)


def speech(rng, text):
    words = text.lower().replace(",", "").replace(".", "").replace("?", "").split(" ")
    how = rng.randrange(4)
    places = [i for i, w in enumerate(words) if w in HEARD_OF and w not in FRAGILE]
    if how <= 1 and places:
        at = rng.choice(places)
        words[at] = rng.choice(HEARD_OF[words[at]])
    elif how == 2 and len(words) > 1:
        at = rng.randrange(len(words))
        words.insert(at, words[at])                                                     # stutter
    else:
        long = [i for i, w in enumerate(words) if len(w) > 5 and w.isalpha()]
        if long and rng.random() < 0.6:
            at = rng.choice(long)
            cut = rng.randrange(2, len(words[at]) - 2)
            words[at] = words[at][:cut] + " " + words[at][cut:]                          # split
        elif len(words) > 2:
            at = rng.randrange(len(words) - 1)
            words[at:at + 2] = [words[at] + words[at + 1]]                               # joined
    return " ".join(words)


def surface(rng, text):
    """End marks, brackets and quotation marks around the whole."""
    roll = rng.random()
    if roll < 0.55:
        return text
    if roll < 0.70:
        return text + "."
    if roll < 0.80:
        return text + rng.choice(["!", "!!", "!!!", "...", " !", " .", " :)"])
    if roll < 0.86:
        return f'"{text}"' if rng.random() < 0.6 else f"“{text}.”"
    if roll < 0.89:
        return rng.choice([">> {} <<", "- {}", "* {}", "({})", "> {}", "-> {}", "... {}", "{} -"]).format(text)
    return text.replace(",", "").replace("'", "") if roll < 0.96 else text.upper()
