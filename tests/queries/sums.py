"""What DuckDB and polars make of the published tables, as one JSON object.

    sums.py LAKE

LAKE is `lake/current`. Nothing here knows a mart: rows are counted, decisions are summed, and whoever calls compares.
"""

import json
import os
import sys

import duckdb
import polars as pl

PR_AND_L7 = """
WITH pooled AS (
    SELECT season, player, match_id, length,
        count(*) AS decisions,
        sum(e_mpt) AS mpt,
        sum(loss) AS loss,
        count(loss) AS priced
    FROM decision_view
    WHERE counted
    GROUP BY ALL
)
SELECT season, player,
    sum(decisions)::BIGINT,
    0.5 * sum(mpt) / sum(decisions),
    sqrt(7) * (sum(loss) FILTER (priced > 0)) / 1e9 / sum(sqrt(length)) FILTER (priced > 0)
FROM pooled
GROUP BY season, player
ORDER BY season, player
"""


def duck_figures(connection):
    return connection.sql(PR_AND_L7).fetchall()


def polars_figures(lake):
    """The same from the files alone: no view, no SQL."""
    matches = pl.scan_parquet(f"{lake}/matches/*/*.parquet").select("match_id", "player_1", "player_2", "length")
    player = pl.when(pl.col("seat") == 1).then("player_1").otherwise("player_2").alias("player")
    pooled = (
        pl.scan_parquet(f"{lake}/decisions/*/*.parquet")
        .filter("counted")
        .join(matches, on="match_id")
        .with_columns(player)
        .group_by("season", "player", "match_id", "length")
        .agg(pl.len().alias("decisions"), pl.col("e_mpt").sum(), pl.col("loss").sum(), pl.col("loss").count().alias("priced"))
    )
    weight = pl.when(pl.col("priced") > 0).then(pl.col("length").cast(pl.Float64).sqrt()).otherwise(0.0)
    figures = (
        pooled.with_columns(weight.alias("weight"))
        .group_by("season", "player")
        .agg(pl.col("decisions", "e_mpt", "loss", "weight").sum())
        .with_columns(
            (0.5 * pl.col("e_mpt") / pl.col("decisions")).alias("pr"),
            pl.when(pl.col("weight") > 0).then(7**0.5 * pl.col("loss") / 1e9 / pl.col("weight")).alias("l7"),
        )
        .sort("season", "player")
        .select("season", "player", "decisions", "pr", "l7")
    )
    return figures.collect().rows()


def counts(connection, lake):
    """Rows of every table: by its view, and by a plain scan of its files."""
    tables = sorted(name for name in os.listdir(lake) if os.path.isdir(os.path.join(lake, name)))
    scanned = {name: pl.scan_parquet(f"{lake}/{name}/*/*.parquet").select(pl.len()).collect().item() for name in tables}
    viewed = {name: connection.sql(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in tables}
    return {"viewed": viewed, "scanned": scanned}


def examples(connection, views):
    """The queries that views.sql prints as comments: a title line, then the text behind four more blanks."""
    found, title = {}, None
    for line in views.splitlines():
        if line.startswith("--     ") and title:
            found[title] = found.get(title, "") + line.removeprefix("--     ") + "\n"
        elif line.startswith("-- ") and line.endswith(":"):
            title = line.removeprefix("-- ").removesuffix(":")
        else:
            title = None
    return {title: connection.sql(text).fetchall() for title, text in found.items()}


def main():
    lake = os.path.abspath(sys.argv[1])
    os.chdir(lake)
    views = open("views.sql", encoding="utf-8").read()
    connection = duckdb.connect()
    connection.execute(views)
    xgids = connection.sql("SELECT match_id, xgid FROM decision_view ORDER BY decision_id").fetchall()
    print(
        json.dumps(
            {
                "duckdb": duck_figures(connection),
                "polars": polars_figures(lake),
                "counts": counts(connection, lake),
                "examples": examples(connection, views),
                "xgids": xgids,
            },
            default=str,
        )
    )


main()
