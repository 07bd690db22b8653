"""PR, L7, biases and families of every player by SQL over the decisions alone, as one JSON object.

    measures.py LAKE

LAKE is `lake/current`. No mart and no partial is read: what is counted here is `decisions`, and whoever calls compares.
"""

import json
import os
import sys

import duckdb

OWN = """
CREATE TEMP VIEW own AS
SELECT d.*, m.length,
    CASE WHEN d.seat = 1 THEN m.player_1 ELSE m.player_2 END AS player,
    CASE WHEN d.kind = 'checker' THEN 'checker' ELSE 'cube' END AS nature
FROM read_parquet('decisions/*/part-*.parquet') d
JOIN read_parquet('matches/*/part-*.parquet') m USING (match_id)
WHERE d.counted
"""

FIGURES = """
WITH by_match AS (
    SELECT season, player, match_id, length, count(*) AS n, sum(e_mpt) AS mpt, sum(loss) AS loss
    FROM own GROUP BY ALL
)
SELECT season, player, sum(n)::BIGINT, sum(mpt)::BIGINT, 0.5 * sum(mpt) / sum(n),
    sqrt(7) * sum(loss) / 1e9 / sum(sqrt(length)) FILTER (loss IS NOT NULL)
FROM by_match GROUP BY ALL ORDER BY ALL
"""

BIASES = """
WITH leaning AS (
    SELECT season, player, own_away, opp_away, e_mpt,
        CASE WHEN kind IN ('take', 'pass') THEN 'take'
             WHEN kind IN ('double', 'no_double') THEN 'double'
             WHEN contact THEN 'blots' END AS bias,
        CASE WHEN e_mpt = 0 THEN 0
             WHEN kind IN ('take', 'double') THEN 1
             WHEN kind IN ('pass', 'no_double') THEN -1
             ELSE sign(blots_played - blots_best) END AS x
    FROM own
), placed AS (
    SELECT season, player, bias, NULL AS own_away, NULL AS opp_away, e_mpt, x FROM leaning
    UNION ALL
    SELECT season, player, bias, own_away, opp_away, e_mpt, x FROM leaning WHERE bias = 'double'
)
SELECT season, player, bias, own_away, opp_away,
    count(x), count(*) FILTER (x > 0), count(*) FILTER (x < 0),
    coalesce(sum(e_mpt) FILTER (x > 0), 0)::BIGINT, coalesce(sum(e_mpt) FILTER (x < 0), 0)::BIGINT
FROM placed WHERE bias IS NOT NULL GROUP BY ALL ORDER BY ALL
"""

FAMILIES = """
SELECT season, player, plan, nature, theme, count(*),
    count(*) FILTER (10 * difficulty <= loss AND loss > 0),
    sum(loss - difficulty)::BIGINT,
    1.96 * sqrt(sum(pow((loss - difficulty) / 1e9, 2)))
FROM own
WHERE e_mpt >= 50 AND loss IS NOT NULL AND difficulty IS NOT NULL AND theme IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""

RECURRING = """
SELECT season, player, plan, nature, coalesce(theme, 'none') AS theme, count(*), sum(e_mpt)::BIGINT
FROM own WHERE e_mpt >= 50 GROUP BY ALL ORDER BY ALL
"""


def main():
    os.chdir(sys.argv[1])
    connection = duckdb.connect()
    connection.execute(OWN)
    queries = {"figures": FIGURES, "biases": BIASES, "families": FAMILIES, "recurring": RECURRING}
    print(json.dumps({name: connection.sql(query).fetchall() for name, query in queries.items()}))


main()
