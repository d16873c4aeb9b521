import HTTP
import JSON

/// The path that a request without a route was probably meant for, with the likely mistakes.
///
/// Segments are compared as sent, so that percent-encoding is kept.
struct ProbablePath {
  /// A mistake in a path, as a sentence about the path.
  enum Cause: String {
    case trailingSlash = "It ends in a slash."
    case emptySegment = "It has an empty segment."
    case missingVersion = "It does not begin with /v1."
    case letterCase = "The case of letters counts."
    case misspelling = "It seems to be misspelt."
    case unencodedSlash = "A / inside a key is written as %2F."
  }

  /// The templates of the routes, split into segments.
  private static let templates = Set(TreeAPI.table.map(\.template)).sorted().map(segments)
  /// The maximum length of a segment that is compared with literals, in bytes.
  private static let maxComparedBytes = 64

  /// The mistakes that together explain the path; at least one.
  let causes: [Cause]
  /// The path that was probably meant, in which braces stand for a missing parameter.
  let path: String

  /// Finds the nearest path that has a route; nil if none is near.
  ///
  /// - Parameter path: The path as sent, without the query.
  /// - Complexity: O(templates + length of the path).
  init?(near path: String) {
    var written = Self.segments(path)
    var causes: [Cause] = []
    while written.last?.isEmpty == true {
      written.removeLast()
      causes = [.trailingSlash]
    }
    // An empty segment where a key begins, continues or ends is part of the key.
    if written.contains(""), let path = Self.joined(written) {
      self.init(causes: causes + [.unencodedSlash], path: path)
      return
    }
    let full = written.filter { !$0.isEmpty }
    let more = full.count < written.count ? causes + [.emptySegment] : causes
    let candidates =
      [
        (written, causes), (full, more), (["v1"] + full, more + [.missingVersion]),
      ] + (causes.isEmpty || written.isEmpty ? [] : [(written + [""], causes)])
    for (segments, causes) in candidates {
      guard let (path, further) = Self.corrected(segments) else { continue }
      self.init(causes: causes + further, path: path)
      return
    }
    guard let path = Self.joined(written) else { return nil }
    self.init(causes: causes + [.unencodedSlash], path: path)
  }

  private init(causes: [Cause], path: String) {
    self.causes = causes
    self.path = path
  }

  private static func segments(_ path: String) -> [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Returns the path of the route with the same number of segments and the most similar literals.
  ///
  /// The result is nil if no route is similar enough.
  private static func corrected(_ written: [Substring]) -> (path: String, causes: [Cause])? {
    let near = templates.filter { $0.count == written.count }
      .compactMap { template in cost(of: template, written).map { (template, cost: $0) } }
    guard let (template, _) = near.min(by: { $0.cost < $1.cost }) else { return nil }
    var causes: [Cause] = []
    let pairs = zip(template, written).filter { !isParameter($0.0) }
    if pairs.contains(where: { $0.lowercased() != $1.lowercased() }) {
      causes.append(.misspelling)
    } else if pairs.contains(where: { $0 != $1 }) {
      causes.append(.letterCase)
    }
    if written.contains("") { causes.append(.emptySegment) }
    let path = zip(template, written).map { isParameter($0) && !$1.isEmpty ? $1 : $0 }
    return ("/" + path.joined(separator: "/"), causes)
  }

  /// Returns the distance between the literals of a template and some segments; nil if too far.
  private static func cost(of template: [Substring], _ written: [Substring]) -> Int? {
    var sum = 0
    for (literal, segment) in zip(template, written)
    where !isParameter(literal) && literal != segment {
      guard segment.utf8.count <= maxComparedBytes else { return nil }
      let distance = editDistance(
        nameWithoutMarks(String(literal)),
        nameWithoutMarks(String(segment))
      )
      guard distance <= max(1, literal.utf8.count / 3), distance < segment.utf8.count else {
        return nil
      }
      sum += 2 * distance + 1
    }
    return sum
  }

  private static func isParameter(_ segment: Substring) -> Bool { segment.hasPrefix("{") }

  /// Returns the path of a route if several of the segments together are one key.
  private static func joined(_ written: [Substring]) -> String? {
    var longest: (path: String, count: Int)?
    for template in templates where template.count < written.count {
      guard let place = template.firstIndex(of: "{key}"), template.count > longest?.count ?? 0
      else { continue }
      let after = template.count - place - 1
      let isServed =
        zip(template[..<place], written).allSatisfy { isParameter($0) ? !$1.isEmpty : $0 == $1 }
        && template.suffix(after).elementsEqual(written.suffix(after))
      guard isServed else { continue }
      let key = written[place..<(written.count - after)].joined(separator: "%2F")
      let path = written[..<place] + [key[...]] + written.suffix(after)
      longest = ("/" + path.joined(separator: "/"), template.count)
    }
    return longest?.path
  }
}

extension TreeAPI {
  /// The maximum length of a path that a response shows, in bytes.
  private static let maxShownPathBytes = 512

  /// Returns the problem of a request for a path without a route.
  ///
  /// It shows the path that was probably meant.
  static func routeNotFound(_ request: Request) -> Problem {
    var detail = "Nothing is served at this path."
    let written = String(decoding: request.target.path, as: UTF8.self)
    if let near = ProbablePath(near: written) {
      for cause in near.causes { detail += " " + cause.rawValue }
      if near.path.utf8.count <= maxShownPathBytes { detail += " Did you mean \(near.path)?" }
    }
    return Problem(.routeNotFound, detail: detail + " GET /openapi.yaml lists the paths there are.")
  }
}
