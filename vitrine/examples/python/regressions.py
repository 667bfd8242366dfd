#!/usr/bin/env python3
"""Prints the performance regressions of the latest version of each app: app, version, metric and summary, separated by tabs.

Needs only Python 3.9. If a page or an app cannot be read, it prints only the error and exits with 1.

    export VITRINE_KEY=vtr_…  VITRINE_CONNECTION=studio
    examples/python/regressions.py > regressions.tsv
"""

import json
import os
import sys
import time
from dataclasses import dataclass
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

TRIES = 5
LONGEST_WAIT_SEC = 60


class Failed(Exception):
    """A failed request, as a sentence for people."""


class NoRedirects(HTTPRedirectHandler):
    """Keeps a redirect from sending the key to another host."""

    def redirect_request(self, *_):
        return None


@dataclass(frozen=True)
class App:
    id: str
    name: str


@dataclass(frozen=True)
class Regression:
    app: str
    version: str
    metric: str
    summary: str


class Vitrine:
    def __init__(self, url, key, connection):
        self._base = f"{url.rstrip('/')}/v1/connections/{quote(connection, safe='')}"
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        self._open = build_opener(NoRedirects).open

    def get(self, path, **query):
        """One answer. Temporary errors are retried after the seconds in Retry-After."""
        url = f"{self._base}{path}?{urlencode(query)}"
        for attempt in range(1, TRIES + 1):
            wait_sec = 2.0**attempt
            try:
                with self._open(Request(url, headers=self._headers), timeout=60) as answer:
                    return json.load(answer)
            except HTTPError as refusal:
                why, is_temporary = read_refusal(refusal)
                named = refusal.headers.get("Retry-After", "")
                wait_sec = float(named) if named.isdigit() else wait_sec
            except (OSError, HTTPException, ValueError) as error:
                why, is_temporary = f"no complete answer from {self._base}: {error}", True
            if not is_temporary or attempt == TRIES or wait_sec > LONGEST_WAIT_SEC:
                raise Failed(why)
            time.sleep(wait_sec)

    def read_all(self, path, **query):
        """Every item of a list. Only a nextCursor of null is its end."""
        while True:
            page = self.get(path, **query)
            yield from page["items"]
            if page["nextCursor"] is None:
                return
            query["cursor"] = page["nextCursor"]


def read_refusal(refusal):
    try:
        error = json.load(refusal)["error"]
        return f"{error['message']} ({error['requestId']})", error["retryable"]
    except (ValueError, KeyError, TypeError):
        return f"status {refusal.code}, not from Vitrine", refusal.code in (502, 503, 504)


def regressions_of(vitrine, app):
    overview = vitrine.get(f"/apps/{quote(app.id, safe='')}/performance-overviews")
    for found in (overview.get("insights") or {}).get("regressions") or []:
        yield Regression(app.name, found["latestVersion"], found["metric"], found["summaryString"])


def main():
    key, connection = os.environ.get("VITRINE_KEY"), os.environ.get("VITRINE_CONNECTION")
    if not key or not connection:
        raise Failed("set VITRINE_KEY to the facade key and VITRINE_CONNECTION to the connection to read")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise Failed("VITRINE_KEY is not a facade key: it has only letters, digits and signs, and no spaces")
    vitrine = Vitrine(os.environ.get("VITRINE_URL") or "http://127.0.0.1:8080", key, connection)
    apps = [App(item["id"], item["name"]) for item in vitrine.read_all("/apps", limit=200, fields="name", sort="name")]
    rows = [row for app in apps for row in regressions_of(vitrine, app)]
    for row in rows:
        print(row.app, row.version, row.metric, row.summary, sep="\t")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(f"regressions: {failed}")
    except BrokenPipeError:
        # a reader that has seen enough, such as head, is no failure; Python writes the rest at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
