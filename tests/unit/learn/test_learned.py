from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from graphpalace.domain.learning.feedback import Candidates, Lesson
from graphpalace.domain.search.evidence import Calibration, Calibrations, Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.vectors import Vector
from graphpalace.learn import learned as learned_module
from graphpalace.learn import replay as trials
from graphpalace.learn.calibration import CalibrationTrial, calibrated, judged_answers, judged_hits
from graphpalace.learn.learned import LearnedRanking, learn
from graphpalace.learn.questions import QuestionMemory
from graphpalace.settings.sections.learning import LearningSettings

COUNT = 12
STILL = Rocchio(drawers=0, weight=0.0)  # questions stay where they are
SECOND = 1 / math.log2(3)


def axis(at: int) -> Vector:
    return np.eye(2 * COUNT, dtype=np.float32)[at]


def near(at: int, cosine: float) -> Vector:
    """A drawer at a cosine to question `at`, and to no other question."""
    return (cosine * axis(at) + math.sqrt(1 - cosine**2) * axis(COUNT + at)).astype(np.float32)


VECTORS = {f"a{at}": near(at, 0.5) for at in range(COUNT)} | {f"b{at}": near(at, 0.62) for at in range(COUNT)}


def lesson(at: int, helped: str = "a", *, reward: float = 1.0, strength: float = 1.0, cycle: int = 0) -> Lesson:
    """The words prefer `a`, the meaning `b`, which is first as long as both count alike."""
    ids, evidence = (f"b{at}", f"a{at}"), np.array([0.36, 0.5], np.float32)
    return Lesson(
        f"l{at:02}",
        f"asking {at}",
        f"question {at}",
        axis(at),
        {f"{helped}{at}": reward},
        {},
        Candidates(ids, evidence, 2),
        ("home",),
        cycle,
        strength,
    )


def taught(lessons: Sequence[Lesson], **options: float) -> LearnedRanking:
    chosen = LearningSettings(**options)  # pyright: ignore[reportArgumentType]
    return learn(lessons, VECTORS, dimension=2 * COUNT, pooling=Pooling(0.5), rocchio=STILL, settings=chosen)


def test_a_drawer_is_proven_for_the_question_that_it_answered_and_for_no_other() -> None:
    learned = taught([lesson(0), lesson(1, "b", strength=0.01)])
    assert learned.of_question("Question 0?", axis(0)).proven() == {"a0": 1.0}
    assert learned.of_question("question 1", axis(1)).proven() == {"b1": 0.01}  # long ago
    assert learned.of_question("question 2", axis(2)).proven() == {}
    assert learned.of_question("question 0 and other things", axis(0)).proven() == {}
    assert taught([]).of_question("question 0", axis(0)).proven() == {}


def test_a_drawer_that_was_called_useless_as_often_is_not_proven() -> None:
    no = replace(lesson(0), id="l99", asking="asking 99", useful={}, useless={"a0": 1.0})
    assert taught([lesson(0), no]).of_question("question 0", axis(0)).proven() == {}


def test_without_lessons_nothing_changes() -> None:
    nothing = taught([])
    assert nothing.put(axis(0)).tolist() == axis(0).tolist()
    assert nothing.of_question("question 0", axis(0)).gains() == {}
    assert (nothing.balance.shift, nothing.like_weight, nothing.trials) == (0, 0, ())
    assert (nothing.question_map, nothing.same_weight) == (None, LearningSettings().same_weight)
    assert nothing.of_question("question 0", axis(0)).losses(["a0"]) == {}


def test_where_the_words_were_right_the_words_count_for_more() -> None:
    found = taught([lesson(at) for at in range(COUNT)])
    # Of the shifts that put what helped first, the smallest: by a factor of e^.175.
    assert found.balance.shift == 0.175
    lanes = found.trials[0]
    assert lanes.change == "full text counts 1.19 times as much relative to the cosine"
    assert found.trials[3].change == "moves questions towards what answers such questions"
    assert lanes.kept
    assert lanes.verdict.gain == pytest.approx(1 - SECOND)  # each answer had what helped second, and has it first now
    assert lanes.verdict.error == pytest.approx(0, abs=1e-9)


def test_where_nothing_can_be_gained_nothing_is_shifted() -> None:
    found = taught([lesson(at, "b") for at in range(COUNT)])
    assert found.balance.shift == 0
    assert not found.trials[0].kept
    assert found.trials[0].change == "full text counts 0.84 times as much relative to the cosine"  # the smallest shift
    assert found.like_weight == 0
    assert not found.trials[1].kept


def test_a_gain_that_varies_too_much_is_not_trusted() -> None:
    mixed = [lesson(at, "a" if at == 0 else "b") for at in range(COUNT)]
    assert taught(mixed).balance.shift == 0


def test_with_too_few_questions_nothing_is_tried() -> None:
    found = taught([lesson(at) for at in range(9)])
    assert (found.balance.shift, found.trials) == (0, ())
    assert len(taught([lesson(at) for at in range(10)]).trials) == 4


def test_moved_questions_are_left_as_they_were_where_replay_sees_a_loss() -> None:
    """Questions share a part, and what answers them lies on one side of it for some and on the other for the rest.

    The lessons are asked again in five folds. Those of three folds lie on one side, so the map of the others would move
    those of the last two to the wrong side.
    """
    vectors, lessons = {}, []
    for at in range(10):
        side = 1.0 if at % 5 < 3 else -1.0
        question = (0.8 * axis(0) + 0.6 * axis(4 + at)).astype(np.float32)
        for name, close, where in (("right", 0.56, side), ("wrong", 0.55, -side)):
            rest = math.sqrt(1 - close**2 - 0.6**2)
            own = close * question + where * 0.6 * axis(1) + rest * axis(14 + at)
            vectors[f"{name}{at}"] = own.astype(np.float32)
        found = Candidates((f"right{at}", f"wrong{at}"), np.zeros(2, np.float32), 2)
        lessons.append(replace(lesson(at), question=question, useful={f"right{at}": 1.0}, candidates=found))

    def learned(caution: float) -> LearnedRanking:
        settings = LearningSettings(map_caution=caution)
        return learn(lessons, vectors, dimension=2 * COUNT, pooling=Pooling(0.5), rocchio=STILL, settings=settings)

    mapping = learned(0.0).trials[3]
    assert (mapping.verdict.gain < 0, mapping.kept) == (True, False)
    assert learned(0.0).question_map is None
    fewer = learn(
        lessons[:9], vectors, dimension=2 * COUNT, pooling=Pooling(0.5), rocchio=STILL, settings=LearningSettings()
    )
    assert fewer.question_map is not None  # nothing is tried yet


def test_one_question_asked_ten_times_in_one_asking_is_one_question() -> None:
    same = [
        Lesson(f"l{at}", "one asking", "question", axis(0), {"a0": 1.0}, {}, lesson(0).candidates) for at in range(10)
    ]
    assert taught(same).trials == ()


def test_the_order_of_the_lessons_does_not_matter() -> None:
    lessons = [lesson(at, cycle=at % 3, reward=1 / (at + 1)) for at in range(COUNT)]
    straight = taught(lessons)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(COUNT)
        turned = taught([lessons[at] for at in order])
        assert turned.question_map is not None
        np.testing.assert_array_equal(turned.question_map, straight.question_map)
        assert (turned.balance.shift, turned.floor, turned.like_weight) == (
            straight.balance.shift,
            straight.floor,
            straight.like_weight,
        )
        assert turned.trials == straight.trials


def test_a_lesson_without_strength_changes_nothing() -> None:
    lessons = [lesson(at) for at in range(11)]
    with_it, without = taught([*lessons, lesson(11, "b", strength=0.0, cycle=1)]), taught(lessons)
    assert with_it.question_map is not None
    assert without.question_map is not None
    np.testing.assert_allclose(with_it.question_map, without.question_map, atol=1e-6)
    assert (with_it.balance.shift, with_it.like_weight) == (without.balance.shift, without.like_weight)
    assert with_it.trials[0].verdict.gain == pytest.approx(without.trials[0].verdict.gain)
    assert with_it.of_question("question 11", axis(11)).gains() == {}


def test_the_same_question_gives_its_drawer_the_same_weight_and_no_more() -> None:
    found = taught([lesson(at) for at in range(COUNT)])
    gained = found.of_question("question 3", axis(3)).gains()
    assert gained["a3"] == pytest.approx(0.2 + found.like_weight)
    assert taught([lesson(3, reward=0.5)]).of_question("question 3", axis(3)).gains() == {"a3": pytest.approx(0.1)}


def test_what_is_remembered_stays_within_the_two_weights() -> None:
    random = np.random.default_rng(5)
    for _ in range(10):
        lessons = [lesson(int(at), str(random.choice(["a", "b"])), strength=random.uniform()) for at in range(COUNT)]
        found = taught(lessons)
        for at in range(COUNT):
            goal = (axis(at) + random.normal(0, 0.1, 2 * COUNT)).astype(np.float32)
            gained = found.of_question(f"question {at}", goal / np.linalg.norm(goal)).gains()
            most = found.same_weight + found.like_weight
            assert all(abs(gain) <= most + 1e-6 for gain in gained.values())


def test_what_helped_for_like_questions_counts_only_where_it_helps_again() -> None:
    """Twelve askings of one meaning in other words, for which the lanes put what helped second."""
    silent = Candidates(("b0", "a0"), np.zeros(2, np.float32), 2)
    again = [Lesson(f"l{at:02}", f"asking {at}", f"w{at}", axis(0), {"a0": 1.0}, {}, silent) for at in range(COUNT)]
    found = taught(again, map_prior=1e6)  # so that the map changes nothing
    assert found.balance.shift == 0  # no words were found
    assert found.trials[1].kept
    assert found.trials[1].verdict.gain == pytest.approx(1 - SECOND)
    # b leads by .5 ln(1 + expm1(1.24) / 2) - .5 ln(1 + expm1(1) / 2) = .090, and of equal changes the smallest is kept
    assert (found.like_weight, found.floor) == (0.1, 0.7)
    assert found.trials[1].change == "adds up to 0.1 to what answered similar questions, from a cosine of 0.7"
    assert found.of_question("other words", axis(0)).gains() == {"a0": pytest.approx(found.like_weight)}
    assert found.of_question("other words", axis(5)).gains() == {}
    assert taught([lesson(at) for at in range(COUNT)], map_prior=1e6).like_weight == 0  # no two of these are alike


def crossed(at: int) -> Lesson:
    """Before what is useful stands, by its words, what was useful for the next question; cosine .5 between both.

    The scores are .5 ln(1 + (expm1(.707) + expm1(1)) / 2) = .432 and .5 ln(1 + (expm1(.707) + expm1(.8)) / 2) = .378,
    so that a loss of .2 times .5 turns them round and one of .1 times .5 does not.
    """
    asked = (axis(at) + axis((at + 1) % COUNT)).astype(np.float32) / np.float32(math.sqrt(2))
    return Lesson(
        f"l{at:02}",
        f"asking {at}",
        f"question {at}",
        asked,
        {f"a{at}": 1.0},
        {},
        Candidates((f"b{at}", f"a{(at + 1) % COUNT}", f"a{at}"), np.array([0.0, 0.5, 0.4], np.float32), 3),
        ("home",),
        0,
        1.0,
    )


def test_where_each_drawer_answers_one_question_what_answered_others_steps_back() -> None:
    found = taught([crossed(at) for at in range(COUNT)], map_prior=1e6)
    assert found.others_weight == 0.2
    assert found.trials[2].kept
    assert found.trials[2].change == "takes up to 0.2 from what answered other questions"
    assert found.trials[2].verdict.gain == pytest.approx(1 - SECOND)
    asked = crossed(3).question
    lost = found.of_question("other words", asked).losses(["a2", "a3", "a7", "nowhere"])
    # a3 answered this very vector, though with other words; a2 that of the question before, at a cosine of .5.
    assert lost == pytest.approx({"a2": -0.5 * found.others_weight, "a3": -found.others_weight})
    # The same question in fewer words is no other question.
    history = found.of_question("question 3", asked)
    assert history.losses(["a2", "a3"]) == pytest.approx({"a2": -0.5 * found.others_weight})


def test_a_loss_fades_with_the_lesson_and_goes_by_reward() -> None:
    weak = [replace(crossed(at), strength=0.5, useful={f"a{at}": 0.4}) for at in range(COUNT)]
    found = LearnedRanking(QuestionMemory(weak, dimension=2 * COUNT), others_weight=0.1)
    assert found.of_question("other words", crossed(3).question).losses(["a3"]) == pytest.approx(
        {"a3": -0.1 * 0.5 * 0.4}
    )


def test_what_was_useless_for_another_question_loses_nothing_by_that() -> None:
    against = [replace(crossed(at), useful={}, useless={f"a{at}": 1.0}) for at in range(COUNT)]
    found = LearnedRanking(QuestionMemory(against, dimension=2 * COUNT), others_weight=0.1)
    assert found.of_question("other words", crossed(3).question).losses(["a3"]) == {}


def test_what_answered_others_stays_where_replay_is_not_sure() -> None:
    assert taught([lesson(at) for at in range(COUNT)]).others_weight == 0  # nothing here answered another question
    sure = taught([crossed(at) for at in range(COUNT)], map_prior=1e6)
    mixed = [
        crossed(at) if at % 2 else replace(crossed(at), useful={f"a{(at + 1) % COUNT}": 1.0}) for at in range(COUNT)
    ]
    assert sure.others_weight > 0 == taught(mixed, map_prior=1e6).others_weight


def by_name(at: int, helped: str) -> Lesson:
    """A lesson of which the words say nothing, the meaning prefers `b`, and a name leads to `a` alone."""
    plain = lesson(at, helped)
    names = {"entity": np.array([0.0, 1.0], np.float32)}
    return replace(plain, candidates=replace(plain.candidates, evidence=np.zeros(2, np.float32), others=names))


@pytest.mark.parametrize(
    ("helped", "weight", "factor", "change"),
    [
        # exp(2 x .62) - 1 = 2.456 of `b` are more than exp(2 x .5) - 1 = 1.718 of `a` and w (exp(2) - 1) = 6.389 w of
        # the names, unless w is above .115. A shift alone would need w above .058 for `a`, and below .27 for `b`.
        ("a", 0.05, 4.0, "counts 4 times as much"),
        ("b", 0.5, 0.0, "counts 0 times as much"),
    ],
)
def test_a_lane_that_was_right_counts_for_more_and_one_that_was_wrong_for_nothing(
    helped: str, weight: float, factor: float, change: str
) -> None:
    def learned(lessons: Sequence[Lesson]) -> LearnedRanking:
        pooling, settings = Pooling(0.5, {"entity": weight}), LearningSettings(map_prior=1e6)
        return learn(lessons, VECTORS, dimension=2 * COUNT, pooling=pooling, rocchio=STILL, settings=settings)

    found = learned([by_name(at, helped) for at in range(COUNT)])
    assert (found.balance.shift, found.balance.factors) == (0, {"entity": factor})
    assert (found.lane_trials["entity"].change, found.lane_trials["entity"].kept) == (change, True)
    assert found.lane_trials["entity"].verdict.gain == pytest.approx(1 - SECOND)
    unsure = learned([by_name(at, "ab"[at % 2]) for at in range(COUNT)])
    assert (unsure.balance.factors, unsure.lane_trials["entity"].kept) == ({}, False)


def test_a_ranking_that_learned_nothing_changes_nothing() -> None:
    plain = LearnedRanking(QuestionMemory([lesson(0)], dimension=2 * COUNT))
    history = plain.of_question("question 0", axis(0))
    assert (history.gains(), history.losses(["a0"])) == ({}, {})
    # Cosines count from a half on.
    like = replace(plain, like_weight=0.2).of_question("other words", near(0, 0.75))
    assert like.gains() == {"a0": pytest.approx(0.1)}
    assert like.losses(["a0"]) == {}


def test_the_same_question_is_also_alike() -> None:
    both = LearnedRanking(QuestionMemory([lesson(0)], dimension=2 * COUNT), like_weight=0.1, same_weight=0.2)
    assert both.of_question("question 0", axis(0)).gains() == {"a0": pytest.approx(0.3)}


def test_a_question_is_put_by_the_map() -> None:
    question_map = np.eye(2 * COUNT, dtype=np.float32)
    question_map[3, 5] = 1.0
    found = replace(taught([]), question_map=question_map).put(axis(3))
    np.testing.assert_allclose(found, (axis(3) + axis(5)) / math.sqrt(2), atol=1e-6)


def test_calibrations_are_used_if_they_proved_themselves() -> None:
    kept = CalibrationTrial(Calibration(2.0, 1.0), 0.1, 0.01, kept=True)
    not_kept = CalibrationTrial(Calibration(0.5, -1.0), 0.1, 0.2, kept=False)
    assert taught([]).calibrations == Calibrations()
    assert replace(taught([]), hit_trial=kept, answer_trial=not_kept).calibrations == Calibrations(hit=kept.calibration)
    assert replace(taught([]), hit_trial=not_kept, answer_trial=kept).calibrations == Calibrations(
        answer=kept.calibration
    )


def test_hits_and_answers_are_calibrated_by_the_newest_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned_module, "_REPLAYED", 40)

    def judged(at: int, *, right: bool, cycle: int) -> Lesson:
        plain = lesson(at % COUNT, cycle=cycle)
        odds = np.array([1.0, 1.0], np.float32)
        candidates = replace(plain.candidates, log_odds=odds, answer_log_odds=-1.0)
        useful, useless = ({"b0": 1.0}, {"a0": 1.0}) if right else ({}, {"b0": 1.0, "a0": 1.0})
        ids = ("b0", "a0")
        return replace(
            plain,
            id=f"l{at:03}",
            asking=f"asking {at}",
            useful=useful,
            useless=useless,
            candidates=replace(candidates, ids=ids),
        )

    new = [judged(at, right=at % 2 == 0, cycle=1) for at in range(40)]
    old = [judged(at, right=False, cycle=0) for at in range(40, 90)]
    found = taught([*new, *old])
    assert found.hit_trial == calibrated(judged_hits(new), least=10, caution=LearningSettings().confidence_caution)
    assert found.answer_trial == calibrated(
        judged_answers(new), least=10, caution=LearningSettings().confidence_caution
    )
    assert found.hit_trial != found.answer_trial


def test_the_newest_lessons_are_replayed_and_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    lessons = [lesson(at, "b" if at < 2 else "a", cycle=min(at, 2)) for at in range(COUNT)]
    monkeypatch.setattr(learned_module, "_REPLAYED", 10)
    found = taught(lessons[::-1])
    assert found.trials[0].verdict.gain == pytest.approx(1 - SECOND)  # of the two old ones, for which it would be less
    monkeypatch.setattr(learned_module, "_FITTED", 9)  # too few to try anything
    fewer = taught(lessons[::-1])
    assert fewer.question_map is not None
    assert fewer.trials == ()
    np.testing.assert_allclose(fewer.question_map, taught(lessons[3:]).question_map, atol=1e-6)  # pyright: ignore[reportArgumentType]


def test_what_was_only_useless_is_remembered_but_not_replayed() -> None:
    other = axis(2 * COUNT - 1)
    no = replace(lesson(0), id="l99", asking="asking 99", query="else", question=other, useful={}, useless={"b0": 1.0})
    found = taught([*(lesson(at) for at in range(COUNT)), no])
    assert found.trials[0].verdict.gain == pytest.approx(1 - SECOND)
    assert found.of_question("else", other).gains() == {"b0": pytest.approx(-found.same_weight)}


def test_lessons_of_drawers_that_are_gone_teach_nothing_of_these() -> None:
    gone = replace(lesson(0), id="l99", asking="asking 99", useful={"gone": 1.0}, cycle=1)
    with_it, without = taught([*(lesson(at) for at in range(9)), gone]), taught([lesson(at) for at in range(9)])
    assert with_it.question_map is not None
    assert without.question_map is not None
    np.testing.assert_allclose(with_it.question_map, without.question_map, atol=1e-6)


def test_replay_tries_a_grid_of_small_changes() -> None:
    assert trials.SHIFTS == (-0.7, -0.525, -0.35, -0.175, 0.0, 0.175, 0.35, 0.525, 0.7)  # from half to twice
    assert trials.FACTORS == (0.0, 0.25, 0.5, 2.0, 4.0)
    assert trials.FLOORS == (0.3, 0.4, 0.5, 0.6, 0.7)
    assert trials.WEIGHTS == (0.05, 0.1, 0.2, 0.3, 0.6)
    assert trials.LOSSES == (0.05, 0.1, 0.2, 0.3)


def test_what_the_same_question_puts_right_on_another_day_needs_no_likeness() -> None:
    """Six questions on two days each, without words, for which the lanes put what helped second."""
    silent = [
        replace(
            lesson(at % 6),
            id=f"l{at:02}",
            asking=f"asking {at}",
            candidates=Candidates((f"b{at % 6}", f"a{at % 6}"), np.zeros(2, np.float32), 2),
        )
        for at in range(COUNT)
    ]
    found = taught(silent, map_prior=1e6)
    assert [trial.verdict.gain for trial in found.trials[:3]] == [0, 0, 0]
    assert found.trials[1].change == "adds up to 0.05 to what answered similar questions, from a cosine of 0.7"


def test_what_the_map_puts_right_needs_no_other_change() -> None:
    """All questions share a part, and what answers them lies on one side of it, where the map moves them.

    Before, `wrong` is ahead by its cosine, .56 to .55, and a smaller weight of the cosines would put `right` first too.
    """
    vectors, lessons = {}, []
    for at in range(10):
        question = (0.8 * axis(0) + 0.6 * axis(4 + at)).astype(np.float32)
        for name, close, side in (("right", 0.55, 1.0), ("wrong", 0.56, -1.0)):
            rest = math.sqrt(1 - close**2 - 0.6**2)
            own = close * question + side * 0.6 * axis(1) + rest * axis(14 + at)
            vectors[f"{name}{at}"] = own.astype(np.float32)
        found = Candidates((f"right{at}", f"wrong{at}"), np.array([0.02, 0.0], np.float32), 2)
        lessons.append(replace(lesson(at), question=question, useful={f"right{at}": 1.0}, candidates=found))

    def learned(prior: float) -> LearnedRanking:
        settings = LearningSettings(map_prior=prior)
        return learn(lessons, vectors, dimension=2 * COUNT, pooling=Pooling(0.5), rocchio=STILL, settings=settings)

    found = learned(2.5)
    assert (found.trials[3].verdict.gain, found.trials[3].kept) == (pytest.approx(1 - SECOND), True)
    assert found.balance.shift == 0
    assert learned(1e6).balance.shift > 0  # where the map changes next to nothing


def test_what_the_words_put_right_needs_no_likeness() -> None:
    """Twelve askings of one meaning in other words, of which the words know the answer."""
    candidates = Candidates(("b0", "a0"), np.array([0.36, 0.5], np.float32), 2)
    again = [Lesson(f"l{at:02}", f"asking {at}", f"w{at}", axis(0), {"a0": 1.0}, {}, candidates) for at in range(COUNT)]
    found = taught(again, map_prior=1e6)
    assert found.balance.shift == 0.175
    assert (found.like_weight, found.trials[1].verdict.gain) == (0, 0)
