"""Plain methods and semantic-router over vectors that were made before: one JSON command a line on stdin, one answer a line on stdout.

{"op": "vectors", "texts": [...], "file": path}   float32 rows in the order of the texts
{"op": "fit", "method": name, "routes": [...], "texts": [...]} -> {"routes": [...], "scores": [...]}
Methods: logistic, logistic+words (scikit-learn); mean, max, sum (semantic-router, whichever version is installed).
"""
import json
import logging
import sys

import numpy as np

logging.disable(logging.WARNING)
ready = {}


def rows(texts):
    return np.stack([ready[text] for text in texts])


def logistic(routes, texts, words):
    import scipy.sparse as sparse
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    phrases = [text for route in routes for text in route["utterances"]]
    labels = [route["name"] for route in routes for _ in route["utterances"]]
    train, test = rows(phrases), rows(texts)
    if words:
        # The weight of the table: 0.5 beside the vector.
        makers = [TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True), TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)]
        train = sparse.hstack([train] + [0.5 * maker.fit_transform(phrases) for maker in makers]).tocsr()
        test = sparse.hstack([test] + [0.5 * maker.transform(texts) for maker in makers]).tocsr()
    model = LogisticRegression(C=30, max_iter=300).fit(train, labels)
    shares = model.predict_proba(test)
    at = shares.argmax(axis=1)
    return [model.classes_[i] for i in at], shares.max(axis=1).tolist()


def semantic_router(routes, texts, aggregation):
    import semantic_router as package
    from semantic_router import Route
    from semantic_router.encoders.base import DenseEncoder

    unknown = next(iter(ready.values())) * 0

    class Known(DenseEncoder):
        name: str = "known"
        type: str = "known"

        def __call__(self, docs):
            # Both versions ask for a text of their own first, to learn how long a vector is.
            return [(ready[doc] if doc in ready else unknown).tolist() for doc in docs]

    made = [Route(name=route["name"], utterances=route["utterances"]) for route in routes]
    old = hasattr(package, "SemanticRouter")
    if old:
        router = package.SemanticRouter(encoder=Known(score_threshold=0.0), routes=made, top_k=5, aggregation=aggregation, auto_sync="local")
    else:
        router = package.IndexedRouter(encoder=Known(), routes=made, top_k=5, aggregation=aggregation, confidence_threshold=0.0)
    names, scores = [], []
    for text in texts:
        found = router(text)
        found = found[0] if isinstance(found, list) and found else found
        names.append(getattr(found, "name", None) or None)
        score = getattr(found, "similarity_score" if old else "confidence", None)
        scores.append(0.0 if score is None else float(score))
    return names, scores


for line in sys.stdin:
    command = json.loads(line)
    answer = {}
    if command["op"] == "vectors":
        matrix = np.fromfile(command["file"], dtype=np.float32).reshape(len(command["texts"]), -1)
        ready.update(zip(command["texts"], matrix))
    elif command["method"].startswith("logistic"):
        answer["routes"], answer["scores"] = logistic(command["routes"], command["texts"], command["method"] != "logistic")
    else:
        answer["routes"], answer["scores"] = semantic_router(command["routes"], command["texts"], command["method"])
    print(json.dumps(answer), flush=True)
