import TestSupport
import Testing

@testable import TreeAPI

/// Compares random key files with a second parser of the same rules.
struct KeyFileLawTests {
  /// A key as the second parser reads it.
  private struct Line: Equatable {
    var id: String
    var secret: String
    var scopes: Set<String>
  }

  /// Parses a file with a regular expression; returns nil if it is invalid.
  private func reference(_ text: String) -> [Line]? {
    var lines: [Line] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.trimmingCharacters
      if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
      let pattern = /([A-Za-z0-9._-]{1,64}):([A-Za-z0-9._~+\/-]+=*)(?::([a-z,]+))?/
      guard let match = trimmed.wholeMatch(of: pattern), match.1 != "session",
        16...512 ~= match.2.utf8.count
      else { return nil }
      let scopes = (match.3 ?? "admin").split(separator: ",", omittingEmptySubsequences: false)
      guard scopes.allSatisfy({ ["read", "metrics", "admin"].contains($0) }) else { return nil }
      let secret = String(match.2)
      guard !lines.contains(where: { $0.secret == secret }) else { return nil }
      lines.append(Line(id: String(match.1), secret: secret, scopes: Set(scopes.map(String.init))))
    }
    return lines.isEmpty ? nil : lines
  }

  private func file(_ random: inout SeededGenerator) -> String {
    let count = random.number(in: 1...4)
    return (0..<count).map { _ in line(&random) }.joined(separator: "\n")
  }

  private func line(_ random: inout SeededGenerator) -> String {
    if random.oneIn(8) { return random.choice(["", "# a:0123456789abcdef", " \t", "#"]) }
    let secrets = [
      "0123456789abcdef", "fedcba9876543210==", "AB.C-D_E~F+G/H123",
      String(repeating: "s", count: 512),
      "0123456789abcdef0123456789abcdef",
    ]
    let scopes = ["", ":read", ":metrics", ":admin", ":read,metrics", ":metrics,admin,read"]
    let id = random.choice(["a", "b", "c.d_e-F", "0", "read"])
    var bytes = Array((id + ":" + random.choice(secrets) + random.choice(scopes)).utf8)
    if random.oneIn(3) {
      let place = random.number(in: 0...bytes.count - 1)
      let byte = random.choice(Array(":,= #\tx\u{7f}é".utf8))
      switch random.number(in: 0...2) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      default: bytes.remove(at: place)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a file is parsed by the rules or refused as a whole`() throws {
    var random = SeededGenerator(seed: 31)
    var (accepted, refused) = (0, 0)
    for _ in 0..<4_000 {
      let text = file(&random)
      var keys = AccessKeys()
      let fault: AccessKeys.Fault?
      do throws(AccessKeys.Fault) {
        try keys.add(lines: Array(text.utf8))
        fault = nil
      } catch {
        fault = error
      }
      guard let lines = reference(text) else {
        refused += 1
        #expect(fault != nil, "\(text)")
        #expect(
          fault.map {
            $0.place <= text.split(separator: "\n", omittingEmptySubsequences: false).count
          } ?? true
        )
        continue
      }
      accepted += 1
      #expect(fault == nil, "\(text)")
      #expect(keys.count == lines.count, "\(text)")
      for line in lines {
        let key = keys.key(with: Array(line.secret.utf8))
        #expect(key?.id == line.id, "\(text)")
        #expect(key.map { Set($0.scopes.map(\.rawValue)) } == line.scopes, "\(text)")
      }
    }
    #expect(accepted > 500 && refused > 500, "\(accepted) and \(refused)")
  }

  @Test func `random bytes are parsed or refused`() {
    var random = SeededGenerator(seed: 32)
    for _ in 0..<2_000 {
      let count = random.number(in: 0...60)
      let bytes = (0..<count).map { _ in UInt8(random.number(in: 0...255)) }
      var keys = AccessKeys()
      do throws(AccessKeys.Fault) {
        try keys.add(lines: bytes)
        #expect(!keys.isEmpty)
      } catch {
        #expect(error.place <= bytes.count(where: { $0 == 10 }) + 1)
      }
    }
  }

  @Test func `two secrets of one id have their own scopes`() throws {
    var keys = AccessKeys()
    try keys.add(lines: Array("a:0123456789abcdef\na:fedcba9876543210:read".utf8))
    #expect(keys.key(with: Array("0123456789abcdef".utf8))?.scopes == [.admin])
    let other = keys.key(with: Array("fedcba9876543210".utf8))
    #expect(other?.id == "a" && other?.scopes == [.read])
  }
}

extension Substring {
  /// The text without ASCII white space at its ends.
  fileprivate var trimmingCharacters: Substring {
    func isSpace(_ character: Unicode.Scalar) -> Bool {
      character == " " || 0x09...0x0d ~= character.value
    }
    var text = unicodeScalars
    while let first = text.first, isSpace(first) { text.removeFirst() }
    while let last = text.last, isSpace(last) { text.removeLast() }
    return Substring(text)
  }
}
