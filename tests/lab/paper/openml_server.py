"""A stand-in for OpenML on the loopback: the parts of its JSON and ARFF interface that `fetch_openml` asks for."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

import numpy as np

from heirwood.data.arff_reader import read_arff


class OpenMLServer:
    """Serves ARFF texts by name and version; notes what it was asked for.

    Use it as a context manager; `redirect` gives what stands in for urllib's `urlopen` in scikit-learn.
    """

    def __init__(self):
        self.sets = []  # (name, version, arff text, columns to ignore)
        self.asked = []
        self.spoil = {}  # fields of the description of a set that are to be wrong

    def add(self, name, arff, version=1, ignored=()):
        self.sets.append((name, version, arff, ignored))

    def __enter__(self):
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                owner.asked.append(self.path)
                status, body = owner.answer(self.path)
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def redirect(self, request, *rest, **named):
        """Open the same path here instead of at OpenML."""
        host, port = self._server.server_address[:2]
        parts = urlsplit(request.full_url)
        assert parts.netloc.endswith("openml.org")
        request.full_url = urlunsplit(("http", f"{host}:{port}", parts.path, parts.query, ""))
        return urlopen(request, *rest, **named)

    def answer(self, path):
        """Return status and body of a request."""
        words = path.strip("/").split("/")
        if words[:3] == ["data", "v1", "download"]:
            return 200, self.sets[int(words[3]) - 1][2].encode()
        if words[:5] == ["api", "v1", "json", "data", "list"]:
            name, version = words[6], int(words[words.index("data_version") + 1])
            found = [i for i, one in enumerate(self.sets, 1) if one[:2] == (name, version)]
            if not found or "deactivated" in words:
                return 412, b'{"error": {"code": "372", "message": "No results"}}'
            return 200, _json({"data": {"dataset": [{"did": found[0], "name": name, "version": version}]}})
        kind, number = (words[4], int(words[-1])) if len(words) == 6 else ("description", int(words[-1]))
        return 200, _json(getattr(self, f"_{kind}")(number, *self.sets[number - 1]))

    def _description(self, number, name, version, arff, ignored):
        facts = {
            "id": str(number),
            "name": name,
            "version": str(version),
            "description": "a stand-in",
            "format": "ARFF",
            "status": "active",
            "url": f"https://www.openml.org/data/v1/download/{number}/{name}.arff",
            "md5_checksum": hashlib.md5(arff.encode()).hexdigest(),
        }
        return {"data_set_description": {**facts, **self.spoil}}

    def _features(self, number, name, version, arff, ignored):
        dataset = _read(arff)
        missing = np.isnan(dataset.table.values).sum(axis=0).tolist()
        columns = [
            (column.name, column.levels, n) for column, n in zip(dataset.table.schema.columns, missing, strict=True)
        ]
        columns.append((dataset.target_name, dataset.target_levels, 0))
        features = [
            {
                "index": str(place),
                "name": column,
                "data_type": "nominal" if levels else "numeric",
                **({"nominal_value": list(levels)} if levels else {}),
                "is_target": str(column == dataset.target_name).lower(),
                "is_ignore": str(column in ignored).lower(),
                "is_row_identifier": "false",
                "number_of_missing_values": str(n),
            }
            for place, (column, levels, n) in enumerate(columns)
        ]
        return {"data_features": {"feature": features}}

    def _qualities(self, number, name, version, arff, ignored):
        n_rows = len(_read(arff).table)
        return {"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": f"{n_rows}.0"}]}}


def _json(document):
    return json.dumps(document).encode()


def _read(arff):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.arff"
        path.write_text(arff, encoding="utf-8")
        return read_arff(path)
