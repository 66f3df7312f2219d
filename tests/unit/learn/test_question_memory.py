from __future__ import annotations

import math

import numpy as np
import pytest

from graphpalace.domain.learning.feedback import AnsweredQuestion, Candidates, Lesson, NarrativeMemory
from graphpalace.learn.questions import QuestionMemory, alike, remembered, remembering, words_of

EAST, NORTH = (np.array(v, np.float32) for v in ((1, 0), (0, 1)))


def lesson(
    query: str, useful: dict[str, float], useless: dict[str, float] | None = None, *, strength: float = 1.0
) -> Lesson:
    return Lesson(query, query, query, EAST, useful, useless or {}, Candidates(), strength=strength)


def memory(*lessons: Lesson) -> QuestionMemory:
    return QuestionMemory(lessons, dimension=2)


def at_cosine(cosine: float) -> np.ndarray:
    return np.array([cosine, math.sqrt(1 - cosine**2)], np.float32)


def test_words_are_letters_and_digits_whatever_the_case() -> None:
    assert words_of("Wo liegt 4711-A, wo?") == {"wo", "liegt", "4711", "a"}
    assert words_of(" ?! ") == set()


def test_the_same_words_are_the_same_question_and_others_are_not() -> None:
    known = memory(lesson("red roses", {"a": 1}), lesson("blue sky", {"b": 1}))
    assert known.same("Roses, red!", EAST).tolist() == pytest.approx([1, 0])
    assert known.cosines(EAST).tolist() == pytest.approx([1, 1])
    assert known.cosines(-at_cosine(0.5)).tolist() == pytest.approx([-0.5, -0.5])


@pytest.mark.parametrize(
    ("query", "cosine", "same"),
    [
        ("red roses bloom late", 1.0, 1.0),
        ("red roses", 1.0, 1.0),  # half of the four words are enough
        ("red", 1.0, 0.5),  # a quarter is half of that
        ("red roses", 0.25, 0.5),  # and so is half of the cosine that is enough
        ("red roses", -1.0, 0.0),
        ("red tulips", 1.0, 0.0),  # a word that was never asked for makes another question of it
        ("", 1.0, 0.0),
    ],
)
def test_a_question_may_leave_words_out_but_not_add_any(query: str, cosine: float, same: float) -> None:
    known = memory(lesson("red roses bloom late", {"a": 1}))
    assert known.same(query, at_cosine(cosine)).tolist() == pytest.approx([same], abs=1e-6)


def test_rare_words_tell_questions_apart_and_frequent_ones_do_not() -> None:
    known = memory(*(lesson(f"what is thing{at}", {"a": 1}) for at in range(50)))
    found = known.same("what is thing7", EAST)
    assert found[7] == pytest.approx(1)
    assert np.flatnonzero(found).tolist() == [7]


def test_a_frequent_word_may_be_missing_a_little() -> None:
    # "the" is in 19 of 20 questions, "red" in one: ln(1 + 1.5 / 19.5) = .07411 and ln(1 + 19.5 / 1.5) = 2.63906.
    known = memory(*(lesson(f"the thing{at}", {"a": 1}) for at in range(19)), lesson("red", {"b": 1}))
    share = 2.63906 / (2.63906 + 0.07411)
    assert known.same("red the", EAST)[19] == pytest.approx((share - 0.95) / 0.05, abs=1e-3)


def test_a_word_that_was_never_asked_for_is_the_rarest() -> None:
    # One question of a hundred words, each ln(1 + .5 / 1.5) = .28768; another word is ln(1 + 1.5 / .5) = 1.38629.
    words = " ".join(f"w{at}" for at in range(100))
    share = 28.768 / (28.768 + 1.38629)
    assert memory(lesson(words, {"a": 1})).same(f"{words} new", EAST)[0] == pytest.approx(
        (share - 0.95) / 0.05, abs=1e-3
    )


def test_a_question_without_words_is_compared_without_a_warning() -> None:
    with np.errstate(invalid="raise"):
        assert memory(lesson("red", {"a": 1})).same("?", EAST).tolist() == [0]


def test_the_bonus_is_the_most_that_a_lesson_gives_less_the_most_that_one_takes() -> None:
    known = memory(lesson("one", {"a": 1.0, "b": 0.6}, strength=0.5), lesson("two", {"a": 1.0}, {"b": 0.4, "c": 1.0}))
    assert known.drawers == ["a", "b", "c"]
    assert known.bonus(np.array([1.0, 0.25])).tolist() == pytest.approx([0.5, 0.3 - 0.1, -0.25])
    assert known.bonus(np.array([0.0, 0.0])).tolist() == [0, 0, 0]


def test_many_lessons_give_no_more_than_the_best_of_them() -> None:
    known = memory(*(lesson(f"question {at}", {"a": 1.0}, {"b": 1.0}) for at in range(200)))
    assert known.bonus(np.ones(200)).tolist() == [1, -1]


def test_bonuses_stay_within_minus_one_and_one_and_the_order_of_lessons_does_not_matter() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        lessons = [
            lesson(
                f"question {at}",
                {f"d{random.integers(5)}": float(random.uniform(0.01, 1))},
                {f"d{random.integers(5, 9)}": float(random.uniform(0.01, 1))},
                strength=float(random.uniform(0, 1)),
            )
            for at in range(10)
        ]
        of = random.uniform(0, 1, 10)
        there, order = memory(*lessons), random.permutation(10)
        turned = memory(*(lessons[at] for at in order))
        gained = dict(zip(there.drawers, there.bonus(of), strict=True))
        assert all(-1 <= gain <= 1 for gain in gained.values())
        assert dict(zip(turned.drawers, turned.bonus(of[order]), strict=True)) == pytest.approx(gained)


def test_a_lesson_without_strength_gives_nothing_and_no_lessons_know_nothing() -> None:
    assert memory(lesson("one", {"a": 1.0}, strength=0.0)).bonus(np.ones(1)).tolist() == [0]
    nothing = memory()
    assert (len(nothing), nothing.drawers) == (0, [])
    assert nothing.bonus(nothing.same("anything", EAST)).tolist() == []


def test_what_lies_below_the_floor_counts_for_nothing() -> None:
    assert alike(np.array([-1, 0.4, 0.5, 0.75, 1]), floor=0.5).tolist() == [0, 0, 0, 0.5, 1]


def test_the_first_question_does_not_fill_the_memory() -> None:  # fault of the original: it became it outright
    memory = remembering(None, EAST, reward=1.0, cycle=7, rate=0.01)
    assert (memory.vector.tolist(), memory.strength, memory.cycle) == ([1, 0], 0.3, 7)


def test_a_weak_reward_is_a_weak_memory() -> None:
    assert remembering(None, EAST, reward=0.2, cycle=0, rate=0.01).strength == pytest.approx(0.06)


def test_the_second_question_by_hand() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.3, 5), NORTH, reward=1.0, cycle=5, rate=0.01)
    assert memory.strength == pytest.approx(0.51)  # .3 + .3 (1 - .3)
    assert memory.vector.tolist() == pytest.approx(
        [0.21 / 0.366197, 0.3 / 0.366197], abs=1e-5
    )  # (.7 x .3, .3) at length one


def test_a_memory_fades_before_a_question_is_added() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.5, 0), EAST, reward=1.0, cycle=69, rate=0.01)
    left = 0.5 * 0.99**69
    assert (memory.strength, memory.cycle) == (pytest.approx(left + 0.3 * (1 - left)), 69)


def test_what_has_faded_away_is_begun_anew() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.5, 0), NORTH, reward=1.0, cycle=1000, rate=0.01)
    assert (memory.vector.tolist(), memory.strength) == ([0, 1], 0.3)


def test_an_answer_of_the_past_sets_no_clock_back() -> None:
    memory = remembering(NarrativeMemory(EAST, 0.3, 10), EAST, reward=1.0, cycle=4, rate=0.01)
    assert (memory.strength, memory.cycle) == (pytest.approx(0.51), 10)


def test_any_number_of_answers_stays_within_length_and_strength_one() -> None:
    random = np.random.default_rng(0)
    angles = random.uniform(0, 2 * np.pi, 500)
    answers = [
        AnsweredQuestion(np.array([np.cos(a), np.sin(a)], np.float32), float(random.uniform(0.01, 1)), at)
        for at, a in enumerate(angles)
    ]
    found = remembered(answers, rate=0.0)
    assert found is not None
    assert 0 < found.strength <= 1
    assert np.linalg.norm(found.vector) == pytest.approx(1, abs=1e-5)
    assert found.cycle == 499


def test_no_answers_are_no_memory() -> None:
    assert remembered([], rate=0.01) is None
