"""What a leaf costs, and its hits: the rows it gets right, or the cost it avoids."""

from heirwood.oracle.leaf_loss import LOSSES
from heirwood.oracle.problem import Problem


def cost_of(weights: list[int], label: int, costs: list[list[int]]) -> int:
    """Return what the mistakes of a leaf cost, given the weight of each class and its label."""
    return sum(weight * of_class[label] for weight, of_class in zip(weights, costs, strict=True))


def most_hits(weights: list[int], problem: Problem) -> int:
    """Return the hits of leaves that make no mistake: all the weight, or the most that mistakes could cost."""
    if problem.loss is not None:
        return sum(weights) * problem.most_loss
    if problem.costs is None:
        return sum(weights)
    return sum(weight * max(of_class) for weight, of_class in zip(weights, problem.costs, strict=True))


def hits_of(weights: list[int], label: int, problem: Problem) -> int:
    """Return the hits of a leaf: the weight of its label, or the cost or the loss that it avoids."""
    if problem.loss is not None:
        most = most_hits(weights, problem)
        return most - min(LOSSES[problem.loss](weights, problem.scale_of_loss), most)
    if problem.costs is None:
        return weights[label]
    return most_hits(weights, problem) - cost_of(weights, label, problem.costs)


def best_label(weights: list[int], problem: Problem) -> int:
    """Return the heaviest class, or the label of least cost; ties go to the lowest."""
    if problem.costs is None:
        return weights.index(max(weights))
    costs = [cost_of(weights, label, problem.costs) for label in range(problem.n_classes)]
    return costs.index(min(costs))


def stake(row: int, problem: Problem) -> int:
    """Return what is at stake in an instance: its weight, or the most that it can cost."""
    weight = problem.weights[row]
    return weight if problem.costs is None else weight * max(problem.costs[problem.classes[row]])


def best_hits(weights: list[int], problem: Problem) -> int:
    """Return the hits of a leaf with the best label."""
    return hits_of(weights, best_label(weights, problem), problem)
