"""Newton's method for equations on a grid whose unknowns lie in arrays, with NumPy alone."""
import numpy as np


def jacobian(rests, unknowns):
    """The matrix d rest/d unknown of equations of second degree at most.

    rests     function of arrays of unknowns, returns the rests of the equations as arrays
    unknowns  arrays; those of one array whose places differ by three or more along any axis have
              no equation in common, and each equation lies next to its unknowns: places in its
              array and in theirs differ by one at most

    So one difference of the rests, exact for equations of second degree, serves every third
    unknown along each axis.
    """
    shapes = [rest.shape for rest in rests(unknowns)]
    first_rows, first_columns = offsets(shapes), offsets([q.shape for q in unknowns])
    matrix = np.zeros((first_rows[-1], first_columns[-1]))
    for number, q in enumerate(unknowns):
        for colour in np.ndindex(*(min(3, count) for count in q.shape)):
            step = np.zeros_like(q)
            step[tuple(slice(start, None, 3) for start in colour)] = 1
            both = [rests([*unknowns[:number], q + sign * step, *unknowns[number + 1:]])
                    for sign in (1, -1)]
            for plus, minus, shape, first_row in zip(*both, shapes, first_rows):
                row = np.indices(shape)
                start = np.reshape(colour, (3, 1, 1, 1))
                column = row + (start - row + 1) % 3 - 1  # of this colour, nearest to the row
                inside = ((column >= 0) & (column < np.reshape(q.shape, (3, 1, 1, 1)))).all(axis=0)
                rows = np.ravel_multi_index(row[:, inside], shape)
                columns = np.ravel_multi_index(column[:, inside], q.shape)
                matrix[first_row + rows, first_columns[number] + columns] = (
                    (plus - minus)[inside] / 2)
    return matrix


def offsets(shapes):
    """Where each array begins among all their values, and how many there are."""
    return np.concatenate([[0], np.cumsum([np.prod(shape) for shape in shapes])]).astype(int)


def solve(rests, unknowns, tolerance, most_steps=20):
    """Unknowns whose rests vanish, and the largest change in each step of Newton's method.

    Ends when no unknown changes by more than the tolerance. Raises ArithmeticError after
    `most_steps`.
    """
    first = offsets([q.shape for q in unknowns])
    changes = []
    while len(changes) < most_steps:
        rest = np.concatenate([one.ravel() for one in rests(unknowns)])
        change = np.linalg.solve(jacobian(rests, unknowns), -rest)
        unknowns = [q + change[begin:end].reshape(q.shape)
                    for q, begin, end in zip(unknowns, first, first[1:])]
        changes.append(abs(change).max())
        if changes[-1] <= tolerance:
            return unknowns, changes
    raise ArithmeticError(f"Newton's method: no convergence in {most_steps} steps: {changes}")
