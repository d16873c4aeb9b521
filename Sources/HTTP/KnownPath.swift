/// A cache of the parsed and routed path of a connection's last request.
///
/// Most clients request few paths many times. Parsing and routing depend only on the path's bytes
/// and the method, so the result can be used again.
struct KnownPath: Sendable {
  /// The maximum length of a cached path, which limits the memory of an idle connection.
  private static let maxBytes = 256

  /// The path as received, without any `%`; empty if nothing is cached.
  private var text: [UInt8] = []
  private var method: Method?
  /// The positions of its parts in the head, without a query.
  private(set) var layout = TargetLayout(raw: 0..<0, segments: [])
  /// The result of routing the path with the method.
  private(set) var match = RouteMatch(label: .none, .notFound)

  /// Replaces the cached path, or clears the cache if the new one cannot be kept.
  ///
  /// - Parameters:
  ///   - head: The head that contains the target.
  ///   - layout: The positions of the target's parts.
  ///   - method: The request's method.
  ///   - match: The result of routing.
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
    // Decoded segments are not at their original position.
    guard !path.contains(UInt8(ascii: "%")) else { return }
    text.append(contentsOf: path)
    self.layout = TargetLayout(raw: start..<end, segments: layout.segments)
    self.method = method
    self.match = match
  }

  /// Returns true if the path of a target is the cached one, in a request of the same method.
  ///
  /// Mutating to avoid a copy of the owner's state.
  ///
  /// - Parameters:
  ///   - bytes: The head.
  ///   - range: The range of the target in it.
  ///   - method: The request's method.
  /// - Returns: True if the cached result applies.
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
