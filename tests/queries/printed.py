"""Runs SQL as somebody would who typed it into DuckDB: from the standard input, after views.sql, in the lake's folder.

    printed.py LAKE < query.sql

Prints one line of JSON a statement: the names of its columns, and its rows.
"""

import json
import os
import sys

import duckdb

os.chdir(sys.argv[1])
connection = duckdb.connect()
connection.execute(open("views.sql", encoding="utf-8").read())
for statement in duckdb.extract_statements(sys.stdin.read()):
    result = connection.execute(statement)
    print(json.dumps([[column[0] for column in result.description], result.fetchall()], default=str))
