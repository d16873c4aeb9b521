import JSON

/// All parsers of JSON agree about a text, and the writer preserves it.
enum JSONLaw {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let checked = Result { () throws(JSONError) in try JSONReader.validate(input) }
    let walked = Result { () throws(JSONError) in try JSONToken.list(of: input) }
    let patched = Result { () throws(JSONError) in
      try MergePatch.apply(input, to: Array("null".utf8))
    }
    for start in input.indices.prefix(64) { try QuickLaw.check(input, start) }
    switch (checked, walked, patched) {
    case (.success(let range), .success(let tokens), .success):
      try checkWriting(tokens)
      try checkSearch(input, range, tokens)
    case (.failure(let fault), .failure(let other), .failure(let third)):
      let isSame = fault == other && fault == third
      try FuzzFinding.expect(isSame, "\(fault), \(other) and \(third)")
      try checkOffset(of: fault, input)
    default: throw FuzzFinding("\(checked), \(walked) and \(patched)")
    }
  }

  /// Checks that the written tokens parse to the same tokens.
  private static func checkWriting(_ tokens: [JSONToken]) throws(FuzzFinding) {
    let written = JSONToken.text(of: tokens)
    let again = try? JSONToken.list(of: written)
    try FuzzFinding.expect(again == tokens, "written as \(written), the tokens differ")
  }

  /// Checks that both searches find the same, and that an empty patch changes nothing.
  private static func checkSearch(
    _ input: [UInt8],
    _ range: Range<Int>,
    _ tokens: [JSONToken]
  ) throws(FuzzFinding) {
    let value = Array(input[range])
    if tokens.first == .beginObject {
      let patched = try? MergePatch.apply(Array("{}".utf8), to: value)
      try FuzzFinding.expect(patched == value, "a patch of nothing changed something")
    }
    for case .name(let name) in tokens.prefix(20) {
      var text: [UInt8] = []
      JSONPointer.append(name, to: &text)
      guard let pointer = JSONPointer(text) else {
        throw FuzzFinding("\(text) is no pointer")
      }
      let plain = pointer.evaluate(in: input[range])
      let walked = pointer.evaluate(in: input, at: range)
      let isSame = plain.map { Array(input[$0]) } == walked.map { Array(input[$0]) }
      try FuzzFinding.expect(isSame, "\(name) is found at other places")
    }
  }

  /// Checks the offset of an error: the text before it could begin valid JSON, and with the next
  /// byte it could not.
  private static func checkOffset(of fault: JSONError, _ input: [UInt8]) throws(FuzzFinding) {
    try FuzzFinding.expect(0...input.count ~= fault.offset, "\(fault) is not in the text")
    let prefix = Result { () throws(JSONError) in
      try JSONReader.validate(Array(input.prefix(fault.offset)))
    }
    guard case .failure(let other) = prefix else {
      // A number or the whole text may end here.
      let isEnd = [.trailingBytes, .invalidNumber].contains(fault.reason)
      return try FuzzFinding.expect(isEnd, "\(fault), and before it all is well")
    }
    let isEarlier = other.offset < fault.offset && other.reason != .invalidNumber
    try FuzzFinding.expect(!isEarlier, "\(fault), but \(other) without what follows")
  }

  static let corpus: [[UInt8]] = [
    #" {"a":[1,-2.5e+3,true,false,null],"é":{"\u00e9\ud83d\ude00":"x\ny😀"},"a":{"a":1}} "#,
    #"[[[["12345678901234567890"]]],{"k":{}},[],{}]"#, #""\"\\\/\b\f\n\r\t\u0000\uDBFF\uDFFF""#,
    "-0.0E-12", #"{"op":"insert","key":"a","object":{"n":1e400,"~/":"~0~1"},"":{}}"#, "[1,]",
    #""a long string, longer than eight bytes, with \\ and ü""#, #"{"a\/b":"\ud800"}"#,
    "\u{FEFF}{}", "[\(String(repeating: "[", count: 130))",
    "{\"a\":\(String(repeating: "[{\"\":", count: 70))",
  ].map { Array($0.utf8) }
}
