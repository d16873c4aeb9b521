/// A path template such as `/v1/sessions/{session}/nodes/{key}`.
struct RoutePattern: Sendable {
  enum Segment: Equatable, Sendable {
    case literal([UInt8])
    case parameter(String)
  }

  let template: String
  let segments: [Segment]

  /// Parses a template.
  ///
  /// It begins with `/`, and a segment in braces is a parameter.
  init(_ template: String) {
    precondition(template.utf8.first == UInt8(ascii: "/"), "a template begins with a slash")
    self.template = template
    segments = template.utf8.dropFirst()
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { segment in
        guard segment.first == UInt8(ascii: "{"), segment.last == UInt8(ascii: "}") else {
          return .literal(Array(segment))
        }
        return .parameter(String(decoding: segment.dropFirst().dropLast(), as: UTF8.self))
      }
    let names = parameterNames
    precondition(Set(names).count == names.count, "a parameter's name is used once")
  }

  /// The indices of the segments that are parameters.
  var parameterPlaces: [Int] {
    segments.indices.filter { if case .parameter = segments[$0] { true } else { false } }
  }

  /// The names of the parameters, in order.
  var parameterNames: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}
