"""Multinomial logistic regression by stochastic gradient descent with Adagrad, on sparse rows.

Rare n-grams get steps as large as frequent ones, which a batch optimiser does not give in reasonable time; features are
dropped at random, so that no topic word decides alone.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

BATCH = 128
RATE = 1.0
DROPPED = 0.5


def fit_softmax(
    table: sparse.csr_matrix, truth: np.ndarray, importance: np.ndarray, classes: int, rounds: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (features x classes) and intercepts."""
    chance = np.random.default_rng(seed)
    weights = np.zeros((table.shape[1], classes), dtype=np.float32)
    squares = np.full((table.shape[1], classes), 1e-4, dtype=np.float32)
    intercept = np.zeros(classes, dtype=np.float32)
    for turn in range(rounds):
        rate = RATE / (1 + turn) ** 0.5
        order = chance.permutation(table.shape[0])
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            batch = table[rows]
            columns, local = np.unique(batch.indices, return_inverse=True)
            kept = (chance.random(len(batch.data)) >= DROPPED) / (1 - DROPPED)
            values = sparse.csr_matrix(
                ((batch.data * kept).astype(np.float32), local, batch.indptr), shape=(len(rows), len(columns))
            )
            error = shares(values @ weights[columns] + intercept)
            error[np.arange(len(rows)), truth[rows]] -= 1
            error *= importance[rows, None] / len(rows)
            slope = np.asarray(values.T @ error, dtype=np.float32)
            squares[columns] += slope**2
            weights[columns] -= rate * slope / np.sqrt(squares[columns])
            intercept -= 0.02 * rate * error.sum(axis=0)
    return weights, intercept


def shares(logits: np.ndarray) -> np.ndarray:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)
