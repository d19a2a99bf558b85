"""The network: BERT as all-MiniLM-L6-v2 has it, mean pooling over the mask, one logit. Also how a pair becomes tokens.

The same rules of text stand in src/reader/pair.ts; test/reader/parity.test.ts compares the two through pairs.json.
"""
import re
import unicodedata

import torch
from torch import nn
from transformers import AutoConfig, BertModel

PHRASE_TOKENS = 96      # of the phrases, marks not counted
TEXT_TOKENS = 160       # of the event, marks not counted; a longer one is not read at all
JOINER = " ; "
CLS, SEP = 101, 102
# Default ignorable code points that are neither format characters nor surrogates (Unicode, DerivedCoreProperties.txt): what is not seen on a screen must not change a reading.
IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]")


def clean(text):
    """NFKC, lower case, invisible characters out, quotes and dashes plain, white space folded. Square brackets become round: "[SEP]" is a mark of the tokeniser."""
    text = IGNORABLE.sub("", unicodedata.normalize("NFKC", text).lower())
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Cs"))
    text = re.sub("[\u2018\u2019\u02bc`\u00b4]", "'", text)
    text = re.sub("[\u201c\u201d\u00ab\u00bb\u201e]", '"', text)
    text = re.sub("[\u2010-\u2015\u2212]", "-", text).replace("[", "(").replace("]", ")")
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text).strip()


def pair_ids(tokenizer, phrases, text):
    """Ids and kinds (0 phrases, 1 event), or None where the event is too long to be read whole. Phrases that no longer fit are left out."""
    event = tokenizer.encode(clean(text), add_special_tokens=False).ids
    if len(event) > TEXT_TOKENS:
        return None
    head = []
    for phrase in phrases:
        more = tokenizer.encode((JOINER if head else "") + clean(phrase), add_special_tokens=False).ids
        if len(head) + len(more) > PHRASE_TOKENS:
            if not head:
                head = more[:PHRASE_TOKENS]
            break
        head += more
    return [CLS, *head, SEP, *event, SEP], [0] * (len(head) + 2) + [1] * (len(event) + 1)


class Reader(nn.Module):
    def __init__(self, model_dir, dropout=0.1):
        super().__init__()
        config = AutoConfig.from_pretrained(model_dir)
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
        self.bert = BertModel.from_pretrained(model_dir, config=config, add_pooling_layer=False)
        self.head = nn.Linear(config.hidden_size, 1)

    def forward(self, ids, mask, kinds):
        hidden = self.bert(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        weight = mask.unsqueeze(-1).to(hidden.dtype)
        return self.head((hidden * weight).sum(1) / weight.sum(1)).squeeze(-1).float()


def batch(items):
    """items: (ids, kinds) -> tensors padded to the longest."""
    width = max(len(ids) for ids, _ in items)
    ids = torch.zeros(len(items), width, dtype=torch.long)
    mask, kinds = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, (i, k) in enumerate(items):
        ids[row, :len(i)], kinds[row, :len(k)], mask[row, :len(i)] = torch.tensor(i), torch.tensor(k), 1
    return ids, mask, kinds
