"""What a grant allows, and how it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.access.caller import Caller, Grant, Role
from graphpalace.errors import InvalidInput

_PALACES = st.none() | st.sampled_from(["notes", "a", "a_b"])
_WINGS = st.sampled_from(["anna", "to do/today", "a:b", "*x", "日本", "write:notes"])
_GRANTS = st.builds(Grant, st.sampled_from(Role), _PALACES, st.none()) | st.builds(
    Grant, st.sampled_from(Role), st.sampled_from(["notes", "a"]), _WINGS
)


@given(_GRANTS)
def test_a_grant_is_read_as_it_is_written(grant: Grant) -> None:
    assert Grant.of(str(grant)) == grant


@given(_GRANTS, _GRANTS)
def test_a_role_never_allows_more_than_a_higher_one(grant: Grant, needed: Grant) -> None:
    for higher in Role:
        if higher.includes(grant.role) and grant.covers(needed):
            assert Grant(higher, grant.palace, grant.wing).covers(needed)
    assert not grant.covers(needed) or grant.role.includes(needed.role)


@given(_GRANTS, _GRANTS)
def test_a_grant_for_a_wing_allows_nothing_outside_of_it(grant: Grant, needed: Grant) -> None:
    if grant.wing is not None and grant.covers(needed):
        assert (needed.palace, needed.wing) == (grant.palace, grant.wing)
    if grant.palace is not None and grant.covers(needed):
        assert needed.palace == grant.palace


@given(st.lists(_GRANTS, max_size=4), _GRANTS)
def test_a_key_allows_what_one_of_its_grants_allows(grants: list[Grant], needed: Grant) -> None:
    assert Caller("gp_x", tuple(grants)).may(needed) == any(one.covers(needed) for one in grants)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "does not begin with a role"),
        ("read", "write read:notes"),
        ("READ:notes", "does not begin with a role"),
        ("owner:notes", "(read, write or admin)"),
        ("read:", "write read:notes"),
        ("read:*/anna", "write read:notes"),
        ("read:notes/*", "for all wings of the palace, write read:notes"),
        ("read:Notes", "1 to 63 characters"),
        ("read:notes/", "no visible character"),
        ("read:notes/ anna", "without blanks"),
        ("read:notes /anna", "1 to 63 characters"),
        ("read:notes/a\nb", "on one line"),
    ],
)
def test_a_wrong_grant_is_refused_with_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Grant.of(text)
    assert says in caught.value.message
    assert caught.value.detail["field"] == "grants"
