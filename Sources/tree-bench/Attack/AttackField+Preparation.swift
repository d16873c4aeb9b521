extension AttackField {
  /// Makes a tree.
  ///
  /// - Parameters:
  ///   - name: The beginning of its name.
  ///   - options: More members of the request, with a comma before each.
  /// - Returns: Its name.
  func makeTree(_ name: String, _ options: String = "") -> String {
    let name = "\(name)-\(mark)"
    expect(client().send("POST", "/v1/trees", #"{"tree":"\#(name)"\#(options)}"#), "make a tree")
    return name
  }

  /// Makes a tree and imports lines into it.
  func makeTree(_ name: String, lines: [UInt8]) -> String {
    let name = makeTree(name)
    let path = "/v1/trees/\(name)/import"
    expect(client().send("POST", path, lines, type: "application/x-ndjson"), "import")
    return name
  }

  /// Makes a session over a tree.
  ///
  /// - Returns: Its path.
  func makeSession(_ tree: String, _ options: String = "") -> String {
    let made = client().send("POST", "/v1/sessions", #"{"tree":"\#(tree)"\#(options)}"#)
    expect(made, "make a session")
    return "/v1/sessions/" + (made?.string("session") ?? "none")
  }

  /// Applies operations to a tree.
  func apply(_ operations: [String], to tree: String) {
    let body = Self.batch(operations)
    expect(client().send("POST", "/v1/trees/\(tree)/batch", body), "apply a batch")
  }

  /// Inserts roots with the same object, in requests of the maximum size.
  func insert(_ count: Int, _ object: String, into tree: String) {
    let operations = (0..<count).map { #"{"op":"insert","key":"k\#($0)","object":\#(object)}"# }
    let each = max(1, (8 << 20) / object.utf8.count)
    for start in stride(from: 0, to: count, by: each) {
      apply(Array(operations[start..<min(count, start + each)]), to: tree)
    }
  }

  /// Returns the body of a batch of operations.
  static func batch(_ operations: [String]) -> String {
    #"{"operations":["# + operations.joined(separator: ",") + "]}"
  }

  private func expect(_ answer: HTTPClient.Answer?, _ intention: String) {
    guard answer?.isSuccess != true else { return }
    let text = answer.map { "\($0.status) \($0.text.prefix(300))" } ?? "no answer"
    fault("cannot \(intention): \(text)")
  }
}
