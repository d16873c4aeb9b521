/// A writer of metrics in the Prometheus text format, version 0.0.4.
///
/// Samples belong to families. A family begins with its name, and all samples up to the next one
/// belong to it.
package struct MetricsWriter: Sendable {
  /// The type of a family.
  package enum Kind: String, Sendable {
    /// A number that only grows.
    case counter
    /// A number that goes up and down.
    case gauge
    /// Cumulative counts of observations by upper bound.
    case histogram
  }

  /// A label's name and value.
  package typealias Label = (name: StaticString, value: String)

  /// The media type of the text.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private var bytes: [UInt8] = []
  private var families: Set<String> = []
  private var family = ""

  /// Creates a writer of an empty text.
  package init() { bytes.reserveCapacity(16_384) }

  /// Returns the text.
  ///
  /// Each line ends with LF.
  package consuming func finish() -> [UInt8] { bytes }

  /// Begins a family.
  ///
  /// - Parameters:
  ///   - name: The name, which ends in its unit. It must not have been used before.
  ///   - kind: The type.
  ///   - help: The description, in one line.
  package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    precondition(families.insert(name).inserted, "\(name) is begun twice")
    family = name
    append("# HELP \(name) ")
    appendEscaped(help, quotes: false)
    append("\n# TYPE \(name) \(kind.rawValue)\n")
  }

  /// Writes a family of a single number.
  ///
  /// See ``begin(_:_:_:)``.
  package mutating func write(_ name: String, _ kind: Kind, _ value: Int, _ help: String) {
    begin(name, kind, help)
    sample([], value)
  }

  /// Writes a family of a single duration, given in nanoseconds and written in seconds.
  ///
  /// See ``begin(_:_:_:)``.
  package mutating func write(
    _ name: String,
    _ kind: Kind,
    nanoseconds: Int,
    _ help: String
  ) {
    begin(name, kind, help)
    line("", [], Self.seconds(nanoseconds))
  }

  /// Writes a number of the current family.
  package mutating func sample(_ labels: [Label], _ value: Int) {
    line("", labels, String(value))
  }

  /// Writes a histogram of durations of the current family, given by its parts.
  ///
  /// - Parameters:
  ///   - labels: The labels, none of them `le`.
  ///   - bounds: The inclusive upper bounds of the buckets, ascending, in nanoseconds.
  ///   - counts: The number of durations in each bucket; one more than there are bounds.
  ///   - sum: The sum of all durations, in nanoseconds.
  package mutating func sample(_ labels: [Label], bounds: [Int], counts: [Int], sum: Int) {
    precondition(counts.count == bounds.count + 1, "there is a bucket after the last bound")
    var total = 0
    for (bound, count) in zip(bounds, counts) {
      total += count
      line("_bucket", labels + [("le", Self.seconds(bound))], String(total))
    }
    total += counts[bounds.count]
    line("_bucket", labels + [("le", "+Inf")], String(total))
    line("_sum", labels, Self.seconds(sum))
    line("_count", labels, String(total))
  }

  /// Writes a histogram of the current family.
  package mutating func sample(_ labels: [Label], _ histogram: DurationHistogram) {
    let (counts, sum) = (histogram.counts, histogram.sum)
    sample(labels, bounds: DurationHistogram.bounds, counts: counts, sum: sum)
  }

  /// Returns nanoseconds as seconds, without trailing zeros.
  static func seconds(_ nanoseconds: Int) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest > 0 else { return String(whole) }
    let digits = String(rest)
    let decimals = String(repeating: "0", count: 9 - digits.utf8.count) + digits
    let end = decimals.utf8.lastIndex { $0 != UInt8(ascii: "0") } ?? decimals.startIndex
    return "\(whole).\(decimals[...end])"
  }

  private mutating func line(_ suffix: String, _ labels: [Label], _ value: String) {
    append(family)
    append(suffix)
    for (index, label) in labels.enumerated() {
      append("\(index == 0 ? "{" : ",")\(label.name)=\"")
      appendEscaped(label.value, quotes: true)
      append("\"")
    }
    append("\(labels.isEmpty ? "" : "}") \(value)\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a text with `\`, line feeds and, in quotes, `"` escaped.
  private mutating func appendEscaped(_ text: String, quotes: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): append("\\\\")
      case .lineFeed: append("\\n")
      case UInt8(ascii: "\"") where quotes: append("\\\"")
      default: bytes.append(byte)
      }
    }
  }
}
