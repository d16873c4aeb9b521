/// Writes figures as Prometheus reads them: the text format, version 0.0.4.
///
/// Figures come in families. A family is begun with its name, and what follows up to the next one
/// are its samples.
public struct MetricsWriter: Sendable {
  /// What the figures of a family are.
  public enum Kind: String, Sendable {
    /// Numbers that only grow.
    case counter
    /// Numbers that go up and down.
    case gauge
    /// How many observations were at most so large.
    case histogram
  }

  /// A label's name and value.
  public typealias Label = (name: StaticString, value: String)

  /// The media type of the text.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private var bytes: [UInt8] = []
  private var families: Set<String> = []
  private var family = ""

  /// A writer of an empty text.
  public init() { bytes.reserveCapacity(16_384) }

  /// The text; each of its lines ends with LF.
  public consuming func finish() -> [UInt8] { bytes }

  /// Begins a family.
  ///
  /// - Parameters:
  ///   - name: Its name, which ends in its unit; it must not have been begun before.
  ///   - kind: What its figures are.
  ///   - help: What they tell, in a line.
  public mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    precondition(families.insert(name).inserted, "\(name) is begun twice")
    family = name
    append("# HELP \(name) ")
    appendEscaped(help, quotes: false)
    append("\n# TYPE \(name) \(kind.rawValue)\n")
  }

  /// Writes a family of a single number.
  ///
  /// See ``begin(_:_:_:)``.
  public mutating func write(_ name: String, _ kind: Kind, _ value: Int, _ help: String) {
    begin(name, kind, help)
    sample([], value)
  }

  /// Writes a family of a single duration, given in nanoseconds and written in seconds.
  ///
  /// See ``begin(_:_:_:)``.
  public mutating func write(
    _ name: String,
    _ kind: Kind,
    nanoseconds: Int,
    _ help: String
  ) {
    begin(name, kind, help)
    line("", [], Self.seconds(nanoseconds))
  }

  /// Writes a number of the family that was begun last.
  public mutating func sample(_ labels: [Label], _ value: Int) {
    line("", labels, String(value))
  }

  /// Writes how many durations there were, of one set of labels, in the family that was begun last.
  ///
  /// - Parameters:
  ///   - labels: The labels, none of them `le`.
  ///   - bounds: Those between buckets, ascending, in nanoseconds.
  ///   - counts: How many are in each bucket; one more than there are bounds.
  ///   - sum: The sum of all, in nanoseconds.
  public mutating func sample(_ labels: [Label], bounds: [Int], counts: [Int], sum: Int) {
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

  /// Writes a histogram of one set of labels, in the family that was begun last.
  ///
  /// See the form that takes its parts.
  public mutating func sample(_ labels: [Label], _ histogram: DurationHistogram) {
    let (counts, sum) = (histogram.counts, histogram.sum)
    sample(labels, bounds: DurationHistogram.bounds, counts: counts, sum: sum)
  }

  /// Nanoseconds as seconds, with as many decimals as there are.
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

  /// Appends a text with what would end it written as `\\`, `\n` and, inside quotes, `\"`.
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
