"""Cases without an answer, the figures of confidence by hand, and the fit."""

from __future__ import annotations

import numpy as np
import pytest

from graphpalace.errors import InvalidInput
from graphpalace.evaluation.collection import Collection, CollectionDocument, CollectionQuestion
from graphpalace.evaluation.confidence_figures import auc, calibration_error, no_answer_figures
from graphpalace.evaluation.no_answer_samples import Kind, Sample, fitted, foreign_questions, halves_of
from graphpalace.fuse.confidence import ANSWER_FEATURES, HIT_FEATURES, Logistic


def collection(name: str, count: int, *, dimension: int | None = None) -> Collection:
    documents = tuple(CollectionDocument(f"d{at}", "", f"text {at}") for at in range(count))
    questions = tuple(CollectionQuestion(f"{name}{at}", f"question {at}", {f"d{at}": 1}) for at in range(count))
    return Collection(name, documents, questions, 0, dimension)


def sample(kind: Kind, value: float, *, relevant: bool = False) -> Sample:
    hits, answer = np.zeros((1, len(HIT_FEATURES))), np.zeros(len(ANSWER_FEATURES))
    hits[0, HIT_FEATURES.index("cosine")] = answer[ANSWER_FEATURES.index("cosine")] = value
    return Sample(f"{kind}{value}", kind, hits, answer, np.array([relevant]))


def test_each_question_is_asked_once_with_its_documents_and_once_without() -> None:
    halves = halves_of(collection("a", 7))
    assert [len(half.collection.documents) for half in halves] == [3, 4]
    for half in halves:
        left = {document.id for document in half.collection.documents}
        assert all(set(question.relevant) <= left for question in half.questions)
    answered = [question.id for half in halves for question in half.questions if question.relevant]
    assert sorted(answered) == [f"a{at}" for at in range(7)]


def test_some_questions_can_be_chosen() -> None:
    few = halves_of(collection("a", 7), most=4)
    assert [len(half.questions) for half in few] == [4, 4]
    assert few[0].questions == halves_of(collection("a", 7), most=4)[0].questions
    assert [len(half.collection.documents) for half in few] == [5, 5]


def test_foreign_questions_are_those_of_others_with_the_same_dimension() -> None:
    own, alike, other = collection("a", 3), collection("b", 3), collection("c", 3, dimension=5)
    found = foreign_questions(own, [own, alike, other])
    assert sorted(question.id for question in found) == ["b0", "b1", "b2"]
    assert not any(question.relevant for question in found)


def test_the_area_under_the_curve_by_hand() -> None:
    """Of four pairs, three are in order."""
    assert auc(np.array([0.9, 0.4, 0.6, 0.1]), np.array([True, True, False, False])) == pytest.approx(0.75)
    assert auc(np.array([0.9, 0.4]), np.array([True, True])) is None


def test_the_calibration_error_by_hand() -> None:
    confidence = np.array([0.82, 0.88, 0.31, 1.0])
    right = np.array([True, False, False, True])
    # Bins: (.82, .88) has mean .85 and half are right; .31 is wrong; 1.0 is in the last bin and right.
    assert calibration_error(confidence, right) == pytest.approx((2 * 0.35 + 0.31 + 0.0) / 4)
    assert calibration_error(np.empty(0), np.empty(0, bool)) == 0


def test_the_figures_tell_kinds_apart() -> None:
    model = Logistic(0.0, dict.fromkeys(HIT_FEATURES, 1.0))
    answer = Logistic(0.0, dict.fromkeys(ANSWER_FEATURES, 1.0))
    samples = [sample("answered", 1.0, relevant=True), sample("removed", 2.0), sample("foreign", -1.0)]
    found = no_answer_figures(samples, hit=model, answer=answer, least=0.3)
    assert found.cases == {"answered": 1, "removed": 1, "unanswerable": 0, "foreign": 1}
    assert (found.auc, found.auc_foreign, found.hit_auc) == (0.0, 1.0, 0.0)
    sure = [1 / (1 + np.exp(-value)) for value in (1.0, 2.0)]  # .73 and .88; only the first is relevant
    assert found.first_hit_confidence == pytest.approx(sum(sure) / 2)
    assert found.first_hit_relevant == 0.5
    assert found.first_hit_calibration_error == pytest.approx((1 - sure[0] + sure[1]) / 2)
    assert found.confidence["foreign"] == pytest.approx(1 / (1 + np.e))  # 0.269
    assert found.nothing_fits == {"answered": 0.0, "removed": 0.0, "foreign": 1.0}
    strangers = no_answer_figures([sample("foreign", -1.0)], hit=model, answer=answer, least=0.3)
    assert (strangers.first_hit_confidence, strangers.first_hit_calibration_error) == (0.0, 0.0)
    with pytest.raises(InvalidInput, match="nothing was found for any question"):
        no_answer_figures([], hit=model, answer=answer, least=0.3)


def test_what_nothing_answers_counts_as_what_was_removed_and_not_as_a_stranger() -> None:
    model, answer = (Logistic(0.0, dict.fromkeys(names, 1.0)) for names in (HIT_FEATURES, ANSWER_FEATURES))
    samples = [sample("answered", 1.0, relevant=True), sample("unanswerable", 2.0), sample("unanswerable", -1.0)]
    found = no_answer_figures(samples, hit=model, answer=answer, least=0.3)
    assert found.cases == {"answered": 1, "removed": 0, "unanswerable": 2, "foreign": 0}
    assert (found.auc, found.auc_foreign) == (0.5, None)
    assert found.nothing_fits == {"answered": 0.0, "unanswerable": 0.5}


def test_a_collection_without_such_questions_counts_as_much_as_before() -> None:
    kinds: list[tuple[Kind, float]] = [("answered", 0.9), ("removed", 0.4), ("foreign", 0.1)]
    plain = fitted({"a": [sample(kind, value, relevant=kind == "answered") for kind, value in kinds] * 20})
    half = [sample(kind, value, relevant=kind == "answered") for kind, value in kinds] * 20
    half += [sample("unanswerable", 0.4) for _ in range(20)]  # like those removed, with half of their weight each
    both = fitted({"a": half})
    assert both.answer.weights["cosine"] == pytest.approx(plain.answer.weights["cosine"], rel=1e-3)
    assert both.answer.intercept == pytest.approx(plain.answer.intercept, rel=1e-3)


def test_the_fit_finds_what_tells_and_refuses_what_speaks_the_wrong_way() -> None:
    random = np.random.default_rng(0)
    right = [sample("answered", float(value), relevant=True) for value in random.normal(0.7, 0.1, 100)]
    wrong = [sample("removed", float(value)) for value in random.normal(0.4, 0.1, 100)]
    models = fitted({"a": [*right, *wrong]})
    assert models.answer.weights["cosine"] > 0
    assert models.answer.weights["cover"] == 0  # it is the same everywhere
    figures = no_answer_figures([*right, *wrong], hit=models.hit, answer=models.answer, least=0.3)
    assert figures.auc is not None
    assert figures.auc > 0.95
    assert figures.calibration_error < 0.3
    turned = fitted({"a": [sample("answered", 0.1, relevant=True), sample("removed", 0.9)] * 20})
    assert turned.answer.weights["cosine"] == 0  # a greater cosine must not lower the confidence
