"""Reads or edits a file of units: translateToolkit.py read|edit FORMAT FILE [EDITS as JSON]"""

import json
import sys

from translate.storage import tmx, xliff, xliff2

FORMATS = {"tmx": tmx.tmxfile, "xliff12": xliff.xlifffile, "xliff21": xliff2.Xliff2File}


def id_of(unit):
    if isinstance(unit, tmx.tmxunit):
        return unit.xmlelement.get("tuid")
    # Of XLIFF 1.2, the toolkit's own id has the name of the file in front.
    return unit.getid() if isinstance(unit, xliff2.Xliff2Unit) else unit.xmlelement.get("id")


def replace(element, before, after):
    """Replaces words wherever they stand between tags."""
    for node in element.iter():
        if node.text:
            node.text = node.text.replace(before, after)
        if node.tail and node is not element:
            node.tail = node.tail.replace(before, after)


def main(action, name, path, edits="{}"):
    store = FORMATS[name].parsefile(path)
    if action == "read":
        units = [{"id": id_of(u), "source": str(u.source), "target": u.target and str(u.target)} for u in store.units]
        print(json.dumps(units))
        return
    edits = json.loads(edits)
    for unit in store.units:
        if id_of(unit) in edits:
            replace(unit.target_dom, *edits[id_of(unit)])
    with open(path, "wb") as out:
        store.serialize(out)


main(*sys.argv[1:])
