"""What scripts/plot_run.py is made of: one module per kind of picture, and what they share.

    slices.py    planes of a snapshot
    profiles.py  averages over one axis; between two walls in wall units
    history.py   the time series
    body_history.py   forces, torques and heat of bodies in it
    spectra.py   energy over wavenumbers of periodic axes
    page.py      all of it on one page, report.html
    bodies.py    solid bodies: where they are, and how they are drawn
    ranges.py    largest values, of those that are finite and in the flow
    style.py     fonts, colours, labels of panels
    files.py     files written aside and renamed
"""
