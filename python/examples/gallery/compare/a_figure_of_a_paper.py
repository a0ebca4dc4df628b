"""
A figure of a paper, run again
==============================

``imbcore reproduce`` runs the papers' tables and figures and sets ours beside print. Here the four
clouds of paper 2, three draws of a hundred.
"""

from imbcore import reproduce

report = reproduce.reproduce("hddt-figure1", quick=True, replicates=3)
for table in report.tables:
    print(table.title)
    print(" | ".join(map(str, table.header)))
    for row in table.rows:
        print(" | ".join(str(round(cell, 3)) if isinstance(cell, float) else str(cell) for cell in row))
