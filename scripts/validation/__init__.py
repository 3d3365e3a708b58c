"""What scripts/validate is made of: one module per case, and what they share.

    session.py   runs `dns` for a case
    report.py    criteria, the table, NAME.md
    curves.py    interpolation, extrema, means
"""
