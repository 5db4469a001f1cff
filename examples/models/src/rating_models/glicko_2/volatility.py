"""Step 5 of the paper: the new volatility, by the Illinois algorithm."""

import math

STILL = 0.000001
"""The paper's ε: the iteration ends when its bounds are so near each other."""
_TURNS = 100
"""It takes a handful of turns; this only bounds the loop."""


def slope(x: float, delta: float, phi: float, v: float, a: float, tau: float) -> float:
    """The function f of the paper, whose root is ln σ'²."""
    e = math.exp(x)
    both = phi * phi + v + e
    return e * (delta * delta - both) / (2 * both * both) - (x - a) / (tau * tau)


def iterated(sigma: float, delta: float, phi: float, v: float, tau: float) -> float:
    """σ', from the old volatility σ, Δ, φ, v and the constant τ."""
    a = math.log(sigma * sigma)
    low = a
    if delta * delta > phi * phi + v:
        high = math.log(delta * delta - phi * phi - v)
    else:
        k = 1
        while k < _TURNS and slope(a - k * tau, delta, phi, v, a, tau) < 0:
            k += 1
        high = a - k * tau
    at_low = slope(low, delta, phi, v, a, tau)
    at_high = slope(high, delta, phi, v, a, tau)
    for _ in range(_TURNS):
        if abs(high - low) <= STILL:
            break
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle, delta, phi, v, a, tau)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low = at_low / 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
