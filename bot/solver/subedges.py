"""Maximal sub-edges: the parts of a long edge that are short enough to be searched.

A sub-edge is the set of all squares under some of an edge's constraints. It is maximal
for n if it has at most n squares and would have more with any further constraint.

Source: 003, 'Finding Maximal Sub-Edges': a tree whose nodes each add one constraint. As
published a node's children are the 'adjacent' constraints of its own constraint alone,
and whether they touch on the board or in a covered cell is left open. Only a shared
covered cell ties two constraints together, and a maximal sub-edge must not leave out any
constraint that would still fit: here a child adds a constraint that shares a covered
cell with the *sub-edge* so far. Constraints that lie wholly inside join at once, and a
sub-edge that was reached in another order before is not followed again: neither changes
which sub-edges are found, but without them the tree grows with all orders of the path.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from bot.solver.edges import Edge, Work

_T = TypeVar("_T")


@dataclass(eq=False)
class _Node:
    """A sub-edge on its way to be maximal."""

    constraint: int
    """The one that this node adds."""
    parent: _Node | None
    sub_edge: int = 0
    """Squares so far, as a bit mask: the parent's at first, with its own once popped."""
    adjacent: frozenset[int] = frozenset()
    """Constraints that share a square with it, likewise."""
    children: list[_Node] = field(default_factory=list)


def maximal_sub_edges(edge: Edge, most: int, work: Work) -> list[Edge]:
    """The maximal sub-edges, each with every constraint that lies within it.

    Args:
        edge: Longer than `most`, else it is its own only one.
        most: Squares in a sub-edge; no constraint may be on more.
        work: A node of it is a node of the tree.

    Raises:
        Spent: The limit is reached.
        Cancelled: The user stopped.
    """
    place = {square: 1 << number for number, square in enumerate(edge.squares)}
    masks = [sum(place[cell] for cell in rule.cells) for rule in edge.constraints]
    found = []
    for leaf, adjacent in without_subsets(_grow(edge, masks, most, work)).items():
        work.spend()
        inside = [number for number in sorted(adjacent) if not masks[number] & ~leaf]
        squares = {square for number in inside for square in edge.constraints[number].cells}
        found.append(
            Edge(
                tuple(sorted(squares, key=place.__getitem__)),
                tuple(edge.constraints[number] for number in inside),
            )
        )
    return found


def _grow(edge: Edge, masks: list[int], most: int, work: Work) -> dict[int, frozenset[int]]:
    """Build the tree; the sub-edges of its leaves as bit masks, with their adjacent constraints."""
    adjacent = _adjacent(edge)
    queue = deque(_Node(number, None) for number in range(len(masks)))
    reached: set[int] = set()
    nodes = []
    while queue:
        node = queue.popleft()
        work.spend()
        node.sub_edge |= masks[node.constraint]
        if node.sub_edge.bit_count() > most:
            if node.parent:
                node.parent.children.remove(node)
            continue
        if node.sub_edge in reached:
            continue
        reached.add(node.sub_edge)
        nodes.append(node)
        node.adjacent |= adjacent[node.constraint]
        node.children = [
            _Node(number, node, node.sub_edge, node.adjacent)
            for number in sorted(node.adjacent)
            if masks[number] & ~node.sub_edge
        ]
        queue.extend(node.children)
    return {node.sub_edge: node.adjacent for node in nodes if not node.children}


def _adjacent(edge: Edge) -> list[frozenset[int]]:
    """For each constraint, those that share a square with it, itself among them."""
    at: dict[int, list[int]] = {}
    for number, rule in enumerate(edge.constraints):
        for square in rule.cells:
            at.setdefault(square, []).append(number)
    return [
        frozenset(number for square in rule.cells for number in at[square])
        for rule in edge.constraints
    ]


def without_subsets(masks: Mapping[int, _T]) -> dict[int, _T]:
    """Those that are no subset of another, the largest first.

    The source compares each with each. A superset has every square of its subset, and so
    the first one: only those that share it need to be compared.
    """
    kept: dict[int, list[int]] = {}
    result = {}
    for mask in sorted(masks, key=int.bit_count, reverse=True):
        if any(mask & ~other == 0 for other in kept.get(mask & -mask, ())):
            continue
        result[mask] = masks[mask]
        rest = mask
        while rest:
            kept.setdefault(rest & -rest, []).append(mask)
            rest &= rest - 1
    return result
