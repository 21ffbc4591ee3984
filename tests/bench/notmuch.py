"""Asks a notmuch database for first pages, all in this one process, and prints what they took as JSON.

Standard input: {"config": path, "queries": [text, ...], "page": threads, "rounds": times}
Standard output: [{"query": text, "milliseconds": [number, ...], "found": threads on the page}, ...]
"""

import json
import sys
import time

import notmuch2


def first_page(database, query, page):
    """What a list shows of its first threads, newest first."""
    rows = []
    threads = database.threads(query, sort=notmuch2.Database.SORT.NEWEST_FIRST)
    for thread in threads:
        rows.append((thread.threadid, thread.subject, thread.authors, thread.last, len(thread), thread.matched))
        if len(rows) == page:
            break
    return rows


def main():
    wanted = json.load(sys.stdin)
    database = notmuch2.Database(mode=notmuch2.Database.MODE.READ_ONLY, config=wanted["config"])
    answers = [{"query": query, "milliseconds": [], "found": 0} for query in wanted["queries"]]
    # The queries take turns, so that whatever else the machine does meets all of them.
    for _ in range(wanted["rounds"]):
        for answer in answers:
            start = time.perf_counter()
            rows = first_page(database, answer["query"], wanted["page"])
            answer["milliseconds"].append((time.perf_counter() - start) * 1000)
            answer["found"] = len(rows)
    json.dump(answers, sys.stdout)


main()
