/// A strict parser of metrics in the text format 0.0.4 of Prometheus.
///
/// Each family begins with `# HELP` and `# TYPE`, once. Its samples follow at once, without
/// duplicates. Counters end in `_total`. The buckets of a histogram are cumulative and end with
/// `+Inf`, which equals its count. The last line ends with a line break.
package struct Exposition {
  /// An error with the reason and the line.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String

    init(_ line: some StringProtocol, _ reason: String) { description = "\(reason): \(line)" }
  }

  private struct Family {
    let name: String
    let kind: String
    var buckets: [String: [(bound: Double, count: Double)]] = [:]
    var sums: Set<String> = []
    var counts: [String: Double] = [:]
  }

  /// The value of each sample, by its name and labels in their written form.
  package private(set) var samples: [String: Double] = [:]
  /// The names of the families.
  package private(set) var families: [String] = []
  private var family: Family?

  /// Parses a text.
  package init(_ text: String) throws {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast() == "" else { throw Fault("the end", "the last line does not end") }
    var index = 0
    while index < lines.count {
      if lines[index].hasPrefix("#") {
        guard index + 1 < lines.count else { throw Fault(lines[index], "HELP without TYPE") }
        try begin(lines[index], lines[index + 1])
        index += 1
      } else {
        try sample(lines[index])
      }
      index += 1
    }
    try endFamily()
  }

  /// Returns the sum of the samples whose name and labels satisfy a condition.
  package func sum(where isMeant: (String) -> Bool) -> Double {
    samples.filter { isMeant($0.key) }.map(\.value).reduce(0, +)
  }

  private mutating func begin(_ help: Substring, _ type: Substring) throws {
    try endFamily()
    let words = help.split(separator: " ", maxSplits: 3)
    let kinds = type.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == "#", words[1] == "HELP" else {
      throw Fault(help, "no HELP")
    }
    guard kinds.count == 4, kinds[0] == "#", kinds[1] == "TYPE", kinds[2] == words[2],
      ["counter", "gauge", "histogram"].contains(kinds[3])
    else { throw Fault(type, "no TYPE of that family") }
    let name = String(words[2])
    guard Self.isName(name[...]) else { throw Fault(help, "no name") }
    guard !families.contains(name) else { throw Fault(help, "a family twice") }
    guard (kinds[3] == "counter") == name.hasSuffix("_total") else {
      throw Fault(type, "a counter is a total, and nothing else is")
    }
    families.append(name)
    family = Family(name: name, kind: String(kinds[3]))
  }

  private mutating func sample(_ line: Substring) throws {
    let nameEnd = line.firstIndex { $0 == "{" || $0 == " " } ?? line.endIndex
    let name = line[..<nameEnd]
    var rest = line[nameEnd...]
    let labels = try Self.labels(&rest)
    guard Self.isName(name), rest.first == " ", let value = Double(rest.dropFirst()) else {
      throw Fault(line, "no sample")
    }
    guard
      samples.updateValue(value, forKey: String(line.prefix(line.utf8.count - rest.utf8.count)))
        == nil
    else { throw Fault(line, "a sample twice") }
    try add(String(name), labels, value, line)
  }

  private mutating func add(
    _ name: String,
    _ labels: [(name: String, value: String)],
    _ value: Double,
    _ line: Substring
  ) throws {
    guard var family, name.hasPrefix(family.name) else { throw Fault(line, "out of its family") }
    let key = labels.filter { $0.name != "le" }.map { "\($0.name)=\($0.value)" }.joined(
      separator: ","
    )
    switch (family.kind, name.dropFirst(family.name.count)) {
    case ("histogram", "_bucket"):
      guard let bound = labels.first(where: { $0.name == "le" })?.value,
        let number = bound == "+Inf" ? .infinity : Double(bound)
      else { throw Fault(line, "a bucket without its bound") }
      family.buckets[key, default: []].append((number, value))
    case ("histogram", "_sum"): family.sums.insert(key)
    case ("histogram", "_count"): family.counts[key] = value
    case ("counter", ""), ("gauge", ""): break
    default: throw Fault(line, "not of its family")
    }
    self.family = family
  }

  private func endFamily() throws {
    guard let family else { return }
    for (key, buckets) in family.buckets {
      let isCumulative = zip(buckets, buckets.dropFirst()).allSatisfy { before, after in
        before.bound < after.bound && before.count <= after.count
      }
      guard isCumulative, buckets.last?.bound == .infinity,
        buckets.last?.count == family.counts[key], family.sums.contains(key)
      else { throw Fault(family.name, "a histogram that does not add up") }
    }
    guard family.counts.count == family.buckets.count, family.sums.count == family.counts.count
    else { throw Fault(family.name, "a histogram without its buckets") }
  }

  /// Parses `{name="value",…}` at the start of a text, if present, and removes it.
  private static func labels(_ rest: inout Substring) throws -> [(name: String, value: String)] {
    guard rest.first == "{" else { return [] }
    var labels: [(name: String, value: String)] = []
    repeat {
      rest.removeFirst()
      guard let equals = rest.firstIndex(of: "="), isName(rest[..<equals]) else {
        throw Fault(rest, "no label")
      }
      let name = String(rest[..<equals])
      guard !labels.contains(where: { $0.name == name }) else { throw Fault(rest, "a label twice") }
      rest = rest[rest.index(after: equals)...]
      labels.append((name, try value(&rest)))
    } while rest.first == ","
    guard rest.popFirst() == "}" else { throw Fault(rest, "labels that do not end") }
    return labels
  }

  /// Parses a quoted text at the start of another, and removes it.
  private static func value(_ rest: inout Substring) throws -> String {
    guard rest.popFirst() == "\"" else { throw Fault(rest, "no quotes") }
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      guard character == "\\" else {
        value.append(character)
        continue
      }
      switch rest.popFirst() {
      case "\\": value.append("\\")
      case "\"": value.append("\"")
      case "n": value.append("\n")
      default: throw Fault(rest, "an escape that is none")
      }
    }
    return value
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"):
        true
      default: false
      }
    }
  }
}
