"""Vorticity, Q, dissipation and kinetic energy of a snapshot, and means over planes."""
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


def dissipation(flow):
    """Phi/Re of a snapshot, (nz, ny, nx) at its points [U^3/L]: what viscosity takes from the
    kinetic energy.

    Phi = 2 sum_i (du_i/dx_i)^2 + sum_(i<j) (du_i/dx_j + du_j/dx_i)^2 = 2 S_ij S_ij, as in the time
    series and the averages. The derivatives are those of vorticity().
    """
    gradients = gradients_of(flow)
    phi = 2 * sum(gradients.along(axis, axis) ** 2 for axis in AXES)
    for first, second in PLANES:
        shear = gradients.across(first, second) + gradients.across(second, first)
        phi += gradients.at_points(shear ** 2, first, second)
    return phi / flow.case["fluid"]["reynolds"]


def plane_mean(flow, values, over="xz"):
    """The mean over some axes of the fluid, without bodies: along the others, such as (ny).

    values  the name of an array at the points of the flow, or such an array: (nz, ny, nx), or
            (nz, ny, nx, 3) of a vector
    over    letters of axes; points count with the lengths, areas or volumes that they represent

    NaN where all is in bodies. Raises RunFileError where the snapshot does not say where bodies
    are, ValueError for other axes and for an array at other points.
    """
    require_known_bodies(flow)
    if not over or not set(over) <= set(AXES):
        raise ValueError(f"over is {over!r}, but must name axes: x, y, z")
    name = values if isinstance(values, str) else "the array"
    values = np.asarray(flow[values] if isinstance(values, str) else values, float)
    counts = ~in_bodies(flow)
    if values.shape[:3] != counts.shape:
        raise ValueError(f"{name} of {flow.path} has the shape {values.shape}, but must have "
                         f"{counts.shape}, one number or vector for each point of the flow")
    weights = counts.astype(float)
    for axis in over:
        weights *= widths(flow, axis).reshape([-1 if AXES[axis] == n else 1 for n in range(3)])
    numbers = tuple(AXES[axis] for axis in over)
    weights = weights.reshape(counts.shape + (1,) * (values.ndim - 3))
    with np.errstate(invalid="ignore"):
        return np.where(weights > 0, weights * values, 0).sum(axis=numbers) / weights.sum(
            axis=numbers)


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
