"""Locations of the published data files, if they exist on this machine."""

import os
from pathlib import Path

import pytest


def real_folder() -> Path | None:
    """Folder of the files, from IMBCORE_DATA or next to the checkout."""
    places = [os.environ.get("IMBCORE_DATA"), Path(__file__).parents[3] / "shared" / "data"]
    for place in places:
        for folder in (place and Path(place), place and Path(place) / "real"):
            if folder and (folder / "pima.csv.gz").is_file():
                return folder
    return None


REAL = real_folder()
needs_files = pytest.mark.skipif(
    REAL is None, reason="the data files are not here; set IMBCORE_DATA to their folder"
)


def network_folder() -> Path | None:
    """Folder of the network files, from IMBCORE_DATA or next to the checkout."""
    places = [os.environ.get("IMBCORE_DATA"), Path(__file__).parents[3] / "shared" / "data"]
    folders = (Path(place) / "bif" for place in places if place)
    return next((folder for folder in folders if (folder / "asia.bif").is_file()), None)


NETWORKS = network_folder()
needs_networks = pytest.mark.skipif(
    NETWORKS is None, reason="the network files are not here; set IMBCORE_DATA to the folder above them"
)
