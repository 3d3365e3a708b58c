"""Profiles of boundary layers on a plate, laminar and turbulent."""
import numpy as np

from channel_profiles import s2a

DISPLACEMENT = 1.720788  # delta* sqrt(Re_x)/x of the laminar layer
FRICTION = 0.6641147     # Cf sqrt(Re_x) of it, 2 f''(0)


def blasius(eta_end=12.0, steps=3000):
    """eta, f, f' of f''' + f f''/2 = 0, f(0) = f'(0) = 0, f' -> 1 (Blasius 1908).

    eta = y sqrt(U/(nu x)); by the classical method of Runge and Kutta.
    """
    def slope(state):
        return np.array([state[1], state[2], -state[0] * state[2] / 2])

    eta, step = np.linspace(0, eta_end, steps + 1, retstep=True)
    states = np.zeros((steps + 1, 3))
    states[0, 2] = FRICTION / 2
    for n in range(steps):
        one = slope(states[n])
        two = slope(states[n] + step / 2 * one)
        three = slope(states[n] + step / 2 * two)
        four = slope(states[n] + step * three)
        states[n + 1] = states[n] + step / 6 * (one + 2 * two + 2 * three + four)
    return eta, states[:, 0], states[:, 1]


def laminar_velocity(x, y, reynolds):
    """u, v [U] at points y a distance x [L] from the edge of the plate; reynolds: U L/nu."""
    eta, f, speed = blasius()
    here = y * np.sqrt(reynolds / x)
    u = np.interp(here, eta, speed, right=1.0)
    v = np.interp(here, eta, eta * speed - f) / (2 * np.sqrt(reynolds * x))
    return u, v


def turbulent_velocity(y, reynolds_tau, velocity):
    """u [u_tau] over y [delta], `velocity` from y = 1 on.

    Law of the wall of Reichardt (1951) and wake of Coles (1956), whose strength makes u(1) =
    velocity.
    """
    kappa = 0.41
    y_plus = np.minimum(y, 1) * reynolds_tau

    def wall(at):
        return (np.log1p(kappa * at) / kappa
                + 7.8 * (1 - np.exp(-at / 11) - at / 11 * np.exp(-at / 3)))

    wake = np.sin(np.pi / 2 * np.minimum(y, 1))**2
    return wall(y_plus) + (velocity - wall(reynolds_tau)) * wake


def turbulent_stresses(y, reynolds_tau):
    """uu, vv, ww, uv [u_tau^2] over y [delta]: those of a channel, made to end at y = 1.2.

    By y+ up to y = 0.4, by y beyond (Vreman & Kuerten 2014, Re_tau 180).
    """
    reference = s2a()
    y_plus = np.where(y < 0.4, y * reynolds_tau,
                      180 * (0.4 * reynolds_tau / 180 + (y - 0.4) * (1 - 0.4 * reynolds_tau / 180)
                             / 0.6))
    end = np.clip((1.2 - y) / 0.6, 0, 1)
    rows = [np.interp(y_plus, *reference[name])**2 for name in "uvw"]
    rows.append(-np.interp(y_plus, *reference["uv"]))
    return [row * end**2 for row in rows]


def friction_of_smits(momentum_reynolds):
    """Cf of a turbulent layer: Smits, Matheson & Joubert, J. Ship Res. 27 (1983) 147-157."""
    return 0.024 * momentum_reynolds**-0.25
