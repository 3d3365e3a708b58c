"""What scripts/plot_run.py is made of: one module per kind of picture, and what they share.

    slices.py    planes of a snapshot
    planes.py    planes that were recorded, with records.py what records hold
    profiles.py  averages over one axis; between two walls in wall units
    convection.py     those of convection between two plates
    maps.py           averages over two axes, and secondary flows
    moments.py   skewness and flatness
    budgets.py   of turbulent kinetic energy and Reynolds stresses
    correlations.py   at two points
    phases.py    averages by phase
    layers.py    what averages over one axis are drawn over, and in which units
    centre_lines.py   velocities on the centre lines of cavities
    history.py   the time series
    body_history.py   forces, torques and heat of bodies in it
    probes.py    points and lines
    spectra.py   energy over wavenumbers of periodic axes
    page.py      all of it on one page, report.html

    options.py   what was asked for, or the rule that it breaks
    selection.py what a run holds within a window of time
    variables.py what can be drawn on a plane
    frame.py     the frame that velocities are shown in, and what drives a flow
    known_flows.py    flows that published results exist of
    labels.py    labels in the user's names of scales
    bodies.py    solid bodies: where they are, and how they are drawn
    region.py    the part of a plane that is drawn
    ranges.py    largest values, of those that are finite and in the flow
    style.py     fonts, colours, labels of panels; of scripts/validate too
    legends.py   room for legends
    drawing.py   figures written one after the other
    files.py     files written aside and renamed
"""
