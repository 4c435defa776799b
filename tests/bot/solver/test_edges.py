"""Edges, their possibilities in three ways, and maximal sub-edges."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings

from bot.board import Board, InconsistentBoard
from bot.solver.constraints import Constraint, system_of
from bot.solver.published.local import (
    Edge,
    Found,
    edges,
    maximal_sub_edges,
    possibilities,
    single_square_search,
)
from tests.bot.solver.boards import any_boards
from tests.bot.solver.edges_in_play import WAYS, boards_in_play, edges_of, free


@cache
def long_edges() -> list[Edge]:
    """Edges of some length, as they come up in games once the single-square search is done."""
    found = []
    for board in boards_in_play(8, (10, 10, 22)):
        system = system_of(board)
        left = single_square_search(system.constraints, Found(system), free())
        found += [edge for edge in edges(left) if 10 < len(edge.squares) <= 13]
    return found[:6]


def test_edges_are_what_shared_constraints_join() -> None:
    """The squares of an edge need not touch each other; those far apart are two edges."""
    board = Board.parse("#1#1#1.1#", 3)
    assert [edge.squares for edge in edges_of(board)] == [(0, 2, 4), (8,)]
    assert [len(edge.constraints) for edge in edges_of(board)] == [3, 1]


def brute(edge: Edge) -> list[int]:
    """Every subset that meets every constraint, by sets."""
    result = []
    for mask in range(1 << len(edge.squares)):
        mines = {square for place, square in enumerate(edge.squares) if mask >> place & 1}
        if all(len(mines & set(rule.cells)) == rule.mines for rule in edge.constraints):
            result.append(mask)
    return result


@given(any_boards())
@settings(max_examples=60, deadline=None)
def test_three_ways_to_the_same_possibilities(board: Board) -> None:
    """Impossible edges, which have none, among them."""
    try:
        found = edges_of(board)
    except InconsistentBoard:
        return
    for edge in found:
        expected = brute(edge)
        assert all(possibilities(edge, way, free()) == expected for way in WAYS)


def test_sub_edges_are_maximal() -> None:
    """Against all sets of joined constraints, on edges of real games."""
    assert len(long_edges()) > 3
    for edge in long_edges():
        parts = maximal_sub_edges(edge, 8, free())
        assert {frozenset(part.squares) for part in parts} == maximal_by_trial(edge, 8)
        assert len(parts) > 1
        assert set(edge.squares) == {square for part in parts for square in part.squares}
        for part in parts:
            inside = [rule for rule in edge.constraints if set(rule.cells) <= set(part.squares)]
            assert list(part.constraints) == inside


def maximal_by_trial(edge: Edge, most: int) -> set[frozenset[int]]:
    """Squares of joined constraints, at most so many, none inside another: set by set."""
    groups = {frozenset([rule]) for rule in edge.constraints}
    unions: dict[frozenset[Constraint], frozenset[int]] = {}
    while groups:
        for group in groups:
            unions[group] = frozenset(square for rule in group for square in rule.cells)
        groups = {
            group | {rule}
            for group in groups
            if len(unions[group]) <= most
            for rule in edge.constraints
            if unions[group] & set(rule.cells)
        } - unions.keys()
    short = {union for union in unions.values() if len(union) <= most}
    return {union for union in short if not any(union < other for other in short)}
