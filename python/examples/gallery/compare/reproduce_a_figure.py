"""
Reproduce a figure of a paper
=============================

``imbcore reproduce`` runs the tables and figures of the papers and compares the results with the
printed ones. This example uses the four Gaussians of paper 2, with three draws instead of a
hundred.
"""

from imbcore import reproduce

report = reproduce.reproduce("hddt-figure1", quick=True, replicates=3)
for table in report.tables:
    print(table.title)
    print(" | ".join(map(str, table.header)))
    for row in table.rows:
        print(" | ".join(str(round(cell, 3)) if isinstance(cell, float) else str(cell) for cell in row))
