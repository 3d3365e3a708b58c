"""Budgets of turbulent kinetic energy and Reynolds stresses among the averages.

Over the distance from the wall in wall units, of other layers over the height [U^3/L]; over two
axes maps of the terms of k.
"""
import numpy as np

from channel_profiles import REFERENCE_REYNOLDS, s2a_budget
from pictures import layers, profiles, slices, style, symmetry
from pictures.labels import scaled
from pictures.ranges import ROUND_OFF, largest

NEGLIGIBLE = 0.01  # of the largest term of all budgets: a term this small is not drawn
SMALL = 0.2  # of the largest term of k: a shear stress with a budget this small is not drawn
MOST = 99.5  # percentile of the magnitudes of a term at which colours of maps end

# Terms in the order of their names beside the panels, and how each is drawn.
TERMS = {
    "production": {"color": "C0"},
    "dissipation": {"color": "C1"},
    "turbulent_transport": {"color": "C2"},
    "viscous_diffusion": {"color": "C3"},
    "pressure_transport": {"color": "C4"},
    "pressure_strain": {"color": "C5"},
    "buoyancy": {"color": "k"},
    "advection": {"color": "0.5", "ls": "-."},
    "residual": {"color": "k", "ls": ":"},
}
SHEAR = ("uv", "uw", "vw")


def name_of_stress(stress):
    """k, or a Reynolds stress with its overbar."""
    return "$k$" if stress == "k" else f"$\\overline{{{stress[0]}'{stress[1]}'}}$"


def terms_of(layer, stress):
    """Term -> values of the budget of a stress: in wall units, or [U^3/L]."""
    scale = layer.viscosity / layer.u_tau**4 if layer.is_channel else 1
    odd = "" if stress == "k" else stress
    return {term: scale * layer.values(f"budget_{stress}_{term}", odd) for term in TERMS
            if f"budget_{stress}_{term}" in layer.averages}


def budgets_of(layer):
    """Stress -> its terms: k, the normal stresses, and shear stresses that are not small."""
    found = {stress: terms_of(layer, stress) for stress in ("k", "uu", "vv", "ww", *SHEAR)}
    least = SMALL * max(map(largest, found["k"].values()))
    if layer.is_channel:
        stream, normal, _ = layer.directions
        shear = ("".join(sorted(stream + normal)),)
    else:
        shear = [stress for stress in SHEAR if max(map(largest, found[stress].values())) > least]
    return {stress: terms for stress, terms in found.items()
            if stress not in SHEAR or stress in shear}


def terms_to_draw(budgets):
    """Names of the terms that are not small beside the largest of all; the residual always."""
    sizes = {term: max(largest(terms[term]) for terms in budgets.values() if term in terms)
             for term in TERMS if any(term in terms for terms in budgets.values())}
    least = NEGLIGIBLE * max(sizes.values())
    return [term for term, size in sizes.items() if size > least or term == "residual"]


def draw_names(axes, terms, references):
    """The names of all terms in a panel of their own, where they cover nothing."""
    axes.set_axis_off()
    for term in terms:
        axes.plot([], [], **TERMS[term], label=term.replace("_", " "))
    if references:
        axes.plot([], [], **style.REFERENCE, label="Vreman & Kuerten, spectral")
    axes.legend(loc="center left", fontsize=9)


def references_of(layer):
    """Stress -> published terms [u_tau^4/nu], where the flow is the published one."""
    if not (layer.is_channel and symmetry.is_plain_channel(layer.averages.case, layer.directions)):
        return {}
    reynolds = layer.averages.attributes["friction_reynolds"]
    if abs(reynolds / REFERENCE_REYNOLDS - 1) > profiles.NEAR_REFERENCE:
        return {}
    return {"k": s2a_budget()}


def draw_reference(axes, terms):
    """Production as a gain and dissipation as a loss, below the curves of a run."""
    for term, (y_plus, values) in terms.items():
        axes.semilogx(y_plus, -values if term == "dissipation" else values, **style.REFERENCE,
                      zorder=1)


def draw_layers(found):
    """One panel per stress, of halves of a channel apart one for each, and one with the names of
    the terms."""
    layer = found[0]
    panels_of_stresses = [(half, stress, terms) for half in found
                          for stress, terms in budgets_of(half).items()]
    references = references_of(layer)
    shown = terms_to_draw({number: terms
                           for number, (_, _, terms) in enumerate(panels_of_stresses)})
    columns, count = 3, len(panels_of_stresses)
    rows = -(-(count + 1) // columns)
    figure, grid = style.new_figure(rows, columns, 0.4 + 2.2 * rows, **layer.shared)
    place_of_names = grid.flat[count].get_subplotspec()
    unit = "terms$\\,\\nu/u_\\tau^4$" if layer.is_channel else scaled("terms$\\,@L/@U^3$")
    panels = layers.panels_of(found, grid, count, unit)
    for axes, (half, stress, terms) in zip(panels, panels_of_stresses):
        draw_reference(axes, references.get(stress, {}))
        for term in shown:
            if term in terms and (term == "residual" or terms[term].any()):
                half.plot(axes, terms[term], **TERMS[term])
        axes.set_title(f"{name_of_stress(stress)} {half.words_of_wall}".rstrip())
    style.label_panels(panels)
    draw_names(figure.add_subplot(place_of_names), shown, references)
    style.set_title(figure, layer.title())
    return figure


def draw_maps(averages, axes):
    """The terms of k over the two axes that are kept, all with the same colours."""
    across = next(plane for plane in slices.PLANES.values() if set(plane) == set(axes))
    terms = {term: averages[f"budget_k_{term}"] for term in TERMS
             if f"budget_k_{term}" in averages}
    shown = terms_to_draw({"k": terms})
    limit = max(np.percentile(np.abs(terms[term]), MOST) for term in shown)
    chosen = {"cmap": slices.SIGNED, "vmin": -limit, "vmax": limit}
    figure, panels = slices.grid_of_panels(averages, across, len(shown))
    for panel, term in zip(panels, shown):
        label = f"{term.replace('_', ' ')} of $k$" + scaled("$\\;@L/@U^3$")
        slices.draw_values(panel, averages, np.ma.masked_array(terms[term], False), across, label,
                           chosen)
    style.label_panels(panels)
    style.set_title(figure, profiles.span_of_time(averages))
    return figure


def draw(averages):
    """The picture of the budgets. Raises NothingToDraw."""
    terms = [name for name in averages if name.startswith("budget_k_")]
    if not terms:
        raise style.NothingToDraw("the averages hold none (output.statistics.budgets); averages of "
                                  "several windows never do")
    speed = max(largest(averages[name]) for name in "uvw")
    if not max(largest(averages[name]) for name in terms) > ROUND_OFF**2 * speed**3:
        raise style.NothingToDraw("nothing fluctuates")
    if layers.axis_of(averages) is not None:
        return draw_layers(layers.layers_of(averages))
    axes = averages.axes["u"]
    if len(axes) == 2 and min(len(averages[axis]) for axis in axes) >= slices.FEWEST_POINTS:
        return draw_maps(averages, axes)
    raise style.NothingToDraw("averages keep no axis, or all")
