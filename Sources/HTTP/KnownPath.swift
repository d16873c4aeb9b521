/// The path that a connection's last request named, with what was found out about it: most clients
/// ask for few paths many times over, and neither has to be split nor looked up again then.
///
/// Splitting and routing depend on the bytes of the path and on the method alone, so that for the
/// same ones there is the same to find.
struct KnownPath: Sendable {
  /// Longer paths are not kept, so that a connection that does nothing holds little.
  private static let maxBytes = 256

  /// The path as it was received, without any `%`; empty where none is known.
  private var text: [UInt8] = []
  private var method: Method?
  /// Where its parts were in the head; there is no query.
  private(set) var layout = TargetLayout(raw: 0..<0, segments: [])
  /// Where it leads to with that method.
  private(set) var match = RouteMatch(label: .none, .notFound)

  /// Keeps what is known of a target's path instead of what was known of another one.
  ///
  /// - Parameters:
  ///   - head: Holds the target.
  ///   - layout: Its parts.
  ///   - method: The request's method.
  ///   - match: Where it goes to.
  mutating func keep(
    _ head: [UInt8],
    _ layout: TargetLayout,
    _ method: Method?,
    _ match: RouteMatch
  ) {
    text.removeAll(keepingCapacity: true)
    let start = layout.raw.lowerBound
    guard layout.form == .origin, let end = layout.segments.last?.upperBound,
      end <= layout.raw.upperBound, end - start <= Self.maxBytes
    else { return }
    let path = head[start..<end]
    // A decoded segment lies elsewhere.
    guard !path.contains(UInt8(ascii: "%")) else { return }
    text.append(contentsOf: path)
    self.layout = TargetLayout(raw: start..<end, segments: layout.segments)
    self.method = method
    self.match = match
  }

  /// Whether the path of a target is this one, in a request of the same method.
  ///
  /// Nothing changes; but who holds it to change it can be asked without a copy.
  ///
  /// - Parameters:
  ///   - bytes: The head.
  ///   - range: Where the target is in it.
  ///   - method: The request's method.
  /// - Returns: Whether it is.
  mutating func isPath(of bytes: Span<UInt8>, in range: Range<Int>, _ method: Method?) -> Bool {
    let path = layout.raw
    guard !text.isEmpty, method == self.method, range.lowerBound == path.lowerBound,
      range.upperBound >= path.upperBound
    else { return false }
    let isWhole = range.upperBound == path.upperBound
    guard isWhole || bytes[path.upperBound] == UInt8(ascii: "?") else { return false }
    return TextScan.areSame(bytes.extracting(path), text.span)
  }
}
