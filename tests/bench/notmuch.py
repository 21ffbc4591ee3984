"""Times first-page queries of a notmuch database in a single process. Prints the results as JSON.

Standard input: {"config": path, "queries": [text, ...], "page": threads, "rounds": times}
Standard output: [{"query": text, "milliseconds": [number, ...], "found": threads on the page}, ...]
"""

import json
import sys
import time

import notmuch2


def first_page(database, query, page):
    """Fields of the first threads, newest first, as a list shows them."""
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
    # Interleave the queries, so that other load on the machine affects all of them.
    for _ in range(wanted["rounds"]):
        for answer in answers:
            start = time.perf_counter()
            rows = first_page(database, answer["query"], wanted["page"])
            answer["milliseconds"].append((time.perf_counter() - start) * 1000)
            answer["found"] = len(rows)
    json.dump(answers, sys.stdout)


main()
