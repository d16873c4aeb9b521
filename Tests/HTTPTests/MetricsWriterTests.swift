import TestSupport
import Testing

@testable import HTTP

@Suite struct MetricsWriterTests {
  @Test func `families are written in the Prometheus text format`() throws {
    var writer = MetricsWriter()
    writer.begin("served_total", .counter, "What was\nserved, with a \\ and a \".")
    writer.sample([], 3)
    writer.sample([("route", "/a\"b\\c\nd"), ("status", "200")], 4)
    writer.write("open", .gauge, -1, "How many are open.")
    let text = String(text: writer.finish())
    #expect(
      text == #"""
        # HELP served_total What was\nserved, with a \\ and a ".
        # TYPE served_total counter
        served_total 3
        served_total{route="/a\"b\\c\nd",status="200"} 4
        # HELP open How many are open.
        # TYPE open gauge
        open -1

        """#
    )
    let read = try Exposition(text)
    #expect(read.families == ["served_total", "open"])
    #expect(read.samples["open"] == -1)
  }

  @Test func `buckets are cumulative, and the last one contains all`() throws {
    var histogram = DurationHistogram()
    for duration in [0, 100_000, 100_001, 3_000_000, 10_000_000_000, 10_000_000_001] {
      histogram.counts[DurationHistogram.bucket(of: duration)] += 1
      histogram.sum += duration
    }
    var writer = MetricsWriter()
    writer.begin("took_seconds", .histogram, "How long it took.")
    writer.sample([("route", "/x")], histogram)
    let read = try Exposition(String(text: writer.finish()))
    let bucket = { (bound: String) in
      read.samples["took_seconds_bucket{route=\"/x\",le=\"\(bound)\"}"]
    }
    #expect(bucket("0.0001") == 2)
    #expect(bucket("0.00025") == 3)
    #expect(bucket("0.0025") == 3)
    #expect(bucket("0.005") == 4)
    #expect(bucket("10") == 5)
    #expect(bucket("+Inf") == 6)
    #expect(read.samples["took_seconds_sum{route=\"/x\"}"] == 20.003200002)
  }

  @Test(arguments: [
    (0, "0"), (1, "0.000000001"), (100_000, "0.0001"), (2_500_000_000, "2.5"),
    (10_000_000_000, "10"), (1_000_000_001, "1.000000001"),
  ])
  func `nanoseconds are written as seconds without trailing zeros`(nanoseconds: Int, text: String) {
    #expect(MetricsWriter.seconds(nanoseconds) == text)
  }

  @Test(arguments: [
    "# HELP a b\n# TYPE a gauge\na 1",
    "a 1\n",
    "# TYPE a gauge\na 1\n",
    "# HELP a b\n# TYPE a counter\na 1\n",
    "# HELP a b\n# TYPE a gauge\na 1\na 1\n",
    "# HELP a b\n# TYPE a gauge\n# HELP a b\n# TYPE a gauge\n",
    "# HELP a b\n# TYPE a gauge\na{x=\"1\",x=\"2\"} 1\n",
    "# HELP a b\n# TYPE a gauge\na{x=\"\\q\"} 1\n",
    "# HELP a b\n# TYPE a gauge\n\na 1\n",
    "# HELP a b\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
    "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
    """
    # HELP a b
    # TYPE a histogram
    a_bucket{le="1"} 2
    a_bucket{le="+Inf"} 1
    a_sum 1
    a_count 1

    """,
  ])
  func `the test parser rejects malformed metrics`(text: String) {
    #expect(throws: Exposition.Fault.self) { try Exposition(text) }
  }
}
