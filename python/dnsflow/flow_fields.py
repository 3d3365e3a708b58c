"""Vorticity, Q and kinetic energy of a snapshot."""
import numpy as np

from dnsflow.errors import RunFileError
from dnsflow.gradients import AXES, gradients_of, mean_of_neighbours
from dnsflow.grid import has_faces, in_bodies, is_periodic, require_known_bodies, widths

PLANES = (("y", "z"), ("z", "x"), ("x", "y"))  # across x, y, z


def vorticity(flow):
    """omega = curl V of a snapshot, (nz, ny, nx, 3) at its points [U/L].

    With V = (u, v, w): dw/dy - dv/dz, du/dz - dw/dx, dv/dx - du/dy. Second order on smoothly
    stretched grids, up to walls, and around periodic axes. From the velocities on the faces of
    cells where the snapshot holds them: differences of two neighbours at the edges, averaged over
    the four around a cell, as the program makes flow["vorticity"]; else from differences of three
    points. Walls count with their velocity where it is no formula. In bodies and beside them it is
    that of the velocity as it is stored there.
    """
    gradients = gradients_of(flow)
    components = [
        gradients.at_points(gradients.across(second, first) - gradients.across(first, second),
                            first, second)
        for first, second in PLANES]
    return np.stack(components, axis=-1)


def q_criterion(flow):
    """Q = -1/2 sum_ij du_i/dx_j du_j/dx_i of a snapshot, (nz, ny, nx) at its points [U^2/L^2].

    Where div V = 0 that is (|Omega|^2 - |S|^2)/2 with the rates of rotation and strain (Hunt, Wray
    & Moin 1988): above 0 in vortices. The derivatives are those of vorticity().
    """
    gradients = gradients_of(flow)
    q = -sum(gradients.along(axis, axis) ** 2 for axis in AXES) / 2
    for first, second in PLANES:
        q -= gradients.at_points(gradients.across(first, second) * gradients.across(second, first),
                                 first, second)
    return q


def kinetic_energy(flow):
    """Mean of (u^2 + v^2 + w^2)/2 over the fluid of a snapshot [U^2].

    Cells: mean over their volumes, of the squares at both faces where the snapshot holds the
    velocity there, which is kinetic_energy of the time series, else at the centres. Nodes: of the
    mean velocity of the eight corners of each cell between them, as in the time series.
    Raises RunFileError where the snapshot does not say where bodies are, and of nodes with bodies.
    """
    require_known_bodies(flow)
    if "x_faces" not in flow:
        if "solid" in flow:
            raise RunFileError(f"{flow.path}: no kinetic energy of nodes between bodies")
        return float((velocity_between_nodes(flow) ** 2).sum(axis=-1).mean() / 2)
    if has_faces(flow):
        squares = sum(mean_of_neighbours(flow[f"velocity_{axis}"].astype(float) ** 2, AXES[axis])
                      for axis in AXES)
    else:
        squares = (flow["velocity"].astype(float) ** 2).sum(axis=-1)
    x, y, z = (widths(flow, axis) for axis in "xyz")
    volumes = z[:, None, None] * y[:, None] * x * ~in_bodies(flow)
    return float((volumes * squares).sum() / volumes.sum() / 2)


def velocity_between_nodes(flow):
    """Means over the eight corners of the cells between nodes, around periodic axes too."""
    velocity = flow["velocity"].astype(float)
    for axis, number in AXES.items():
        if is_periodic(flow, axis):
            velocity = np.concatenate([velocity, np.take(velocity, [0], axis=number)], axis=number)
        velocity = mean_of_neighbours(velocity, number)
    return velocity
