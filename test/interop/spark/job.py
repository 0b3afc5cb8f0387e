"""Four queries over generated rows, and an exact checksum of each result, as JSON.

    python job.py OUT ROWS [KEY=VALUE ...]

Values are the same for the same number of rows, whatever the settings. A checksum is the number of rows and the sum and
the xor of a 64-bit hash of every row's columns, so that no row can be missing, doubled or changed unseen, in whatever
order they come. For orderBy each row's position belongs to what is hashed.
"""
import json
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as f


def checksum(frame):
    hashed = frame.select(f.xxhash64(*frame.columns).alias("h"))
    # Halves, since the sum of whole hashes would overflow.
    rows, high, low, bits = hashed.agg(
        f.count("h"), f.sum(f.shiftright("h", 32)), f.sum(f.col("h").bitwiseAND(0xFFFFFFFF)), f.bit_xor("h")
    ).first()
    return {"rows": rows, "sum": str((high << 32) + low), "xor": str(bits)}


def facts(spark, rows):
    """Keys that repeat unevenly, texts of 0 to 60 characters, numbers."""
    h = f.xxhash64(f.col("id"))
    return spark.range(0, rows, 1, 8).select(
        "id",
        f.pmod(h, f.when(h % 5 == 0, 100).otherwise(max(100, rows // 20))).alias("key"),
        f.repeat(f.hex(h), 4).substr(f.lit(1), f.pmod(h, f.lit(61)).cast("int")).alias("text"),
        f.pmod(f.xxhash64(f.col("id"), f.lit(7)), f.lit(1_000_000)).alias("amount"),
    )


def group_by(spark, rows):
    return checksum(
        facts(spark, rows)
        .groupBy("key")
        .agg(f.sum("amount").alias("sum"), f.count("*").alias("n"), f.max("text").alias("max"), f.min("id").alias("min"))
    )


def join(spark, rows):
    left = facts(spark, rows)
    right = spark.range(0, max(100, rows // 20), 1, 4).select(
        f.col("id").alias("key"), f.hex(f.xxhash64("id")).alias("name")
    )
    return checksum(left.join(right, "key"))


def order_by(spark, rows):
    ordered = facts(spark, rows).orderBy("text", f.desc("amount"), "id")
    # Both steps must see the same division into partitions.
    placed = ordered.select("*", f.monotonically_increasing_id().alias("place")).cache()
    partition = f.shiftright("place", 33)
    counts = dict(placed.groupBy(partition.alias("p")).count().collect())
    before, starts = 0, []
    for p in range(max(counts) + 1):
        starts.append(before)
        before += counts.get(p, 0)
    start = f.element_at(f.array(*[f.lit(s).cast("long") for s in starts]), partition.cast("int") + 1)
    within = f.col("place").bitwiseAND(f.lit((1 << 33) - 1))
    result = checksum(placed.withColumn("place", start + within))
    placed.unpersist()
    return result


def repartition(spark, rows):
    return checksum(facts(spark, rows).repartition(13).repartition(7, "text"))


def main():
    out, rows, settings = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    builder = SparkSession.builder.master("local[2]").appName("interop")
    for setting in settings:
        builder = builder.config(*setting.split("=", 1))
    spark = builder.getOrCreate()
    results = {}
    for query in (group_by, join, order_by, repartition):
        started = time.time()
        results[query.__name__] = query(spark, rows)
        print(f"{query.__name__}: {time.time() - started:.1f} s", flush=True)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(results, file)
    spark.stop()


main()
