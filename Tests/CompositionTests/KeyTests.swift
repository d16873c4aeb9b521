import Foundation
import TestSupport
import Testing
import TreeSessions

@testable import Composition
@testable import TreeAPI

@Suite struct `Keys of the configuration` {
  private static let first = "laptop:0123456789abcdef"
  private static let second = "phone:AB.C-D_E~F+G/H123=="

  private func keys(_ lines: String) throws -> AccessKeys {
    var keys = AccessKeys()
    try keys.add(lines: Array(lines.utf8))
    return keys
  }

  @Test func `they come from the file, from the environment, or from both`() throws {
    let files = ["k": "# mine\n\n\(Self.first)\r\n"]
    let variable = "TREE_SERVER_KEYS= \(Self.second)\n"
    let fromFile = try resolved(["--keys-file=k"], files: files)
    #expect(try fromFile.keys == keys(Self.first))
    #expect(try resolved([], [variable]).keys == keys(Self.second))
    let both = try resolved(["--keys-file=k"], [variable], files: files)
    #expect(try both.keys == keys(Self.second + "\n" + Self.first))
    #expect(both.apiOptions.keys == both.keys)
  }

  @Test func `with keys other machines may reach it`() throws {
    let variable = "TREE_SERVER_KEYS=\(Self.first)"
    #expect(try resolved(["--host=0.0.0.0"], [variable]).host == "0.0.0.0")
    #expect(throws: ConfigurationError.remoteHost("0.0.0.0")) { try resolve(["--host=0.0.0.0"]) }
  }

  @Test func `no key is a flag, a member of the file, or printed`() throws {
    for arguments in [["--keys", Self.first], ["--keys=" + Self.first]] {
      let error = #expect(throws: ConfigurationError.self) { try resolve(arguments) }
      #expect(error?.description.contains("012345") == false)
    }
    let error = #expect(throws: ConfigurationError.self) {
      try resolved(["--config=f"], file: "{\"keys\": \"\(Self.first)\"}")
    }
    #expect(error?.description.contains("012345") == false)
    let configuration = try resolved([], ["TREE_SERVER_KEYS=\(Self.first)"])
    #expect(!configuration.rendered().contains("012345"))
    var dumped = ""
    dump(configuration, to: &dumped)
    #expect(dumped.contains("laptop") && !dumped.contains("012345"))
    #expect(!"\(configuration)".contains("012345"))
  }

  @Test(arguments: [
    ("a:0123456789abcdef\nb", "k, line 2: a key is written as id:secret, or as id:secret:scopes"),
    ("0123456789abcdef0123", "k, line 1: a key is written as id:secret, or as id:secret:scopes"),
    (
      "a b:0123456789abcdef",
      """
      k, line 1: the id of a key is 1 to 64 letters, digits, dots, dashes or underscores, and not \
      session
      """
    ),
    (
      "#\n\n a:0123456789abcde",
      """
      k, line 3: the secret of a key is 16 to 512 letters, digits or characters of -._~+/, then \
      perhaps =
      """
    ),
    (
      "a:0123456789abcdef\nb:0123456789abcdef",
      "k, line 2: another key has this secret; give each one of its own"
    ),
    (
      "a:0123456789abcdef\nb:0123456789abcdeg:write",
      """
      k, line 2: the scopes behind a secret are read, metrics, admin; write those you want with \
      commas and no spaces between them, or none for admin
      """
    ),
    (
      "# none\n",
      "k: there are no keys in it; write some as id:secret, or leave the setting out"
    ),
  ])
  func `a faulty file refuses the start, and shows nothing of a key`(
    text: String,
    message: String
  ) {
    let error = #expect(throws: ConfigurationError.self) {
      try resolve(["--keys-file=k"], files: ["k": text])
    }
    #expect(error?.description == message)
  }

  @Test func `a file that others may read is told of`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/keys"
    try Data(Self.first.utf8).write(to: URL(filePath: path))
    var configuration = Configuration()
    #expect(configuration.keysFileWarning == nil)
    configuration.keysFile = path
    for (mode, isTold) in [
      (0o600, false), (0o400, false), (0o640, true), (0o644, true), (0o602, true),
    ] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let warning = configuration.keysFileWarning
      #expect((warning != nil) == isTold)
      #expect(warning?.contains("mode \(String(mode, radix: 8))); chmod 600 \(path)") != false)
    }
  }

  @Test func `a file is read anew as a whole, or not at all`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/keys"
    let environment = "env:environment-secret"
    func write(_ text: String) throws { try folder.write(Array(text.utf8), to: "keys") }
    try write(Self.first)
    let configuration = try resolved(
      ["--keys-file", path],
      ["TREE_SERVER_KEYS=" + environment],
      files: [path: Self.first]
    )
    let ring = TreeAPI(service: SessionStore(), options: configuration.apiOptions).keys
    #expect(try ring.current == keys(environment + "\n" + Self.first))
    let changed = Self.second + ":read\nphone:another-secret-1:metrics"
    try write(changed)
    let outcome = "\(path) was read anew; the number of valid keys is 3"
    #expect(configuration.reloadKeys(of: ring) == outcome)
    #expect(try ring.current == keys(environment + "\n" + changed))
    for (text, reason) in [
      (Self.first + "\nx:0123456789abcdeX:none", ", line 2: the scopes behind a secret are"),
      ("", ": there are no keys in it"), (environment, ", line 1: another key has this secret"),
      (nil, ": No such file"),
    ] {
      if let text { try write(text) } else { try FileManager.default.removeItem(atPath: path) }
      let told = try #require(configuration.reloadKeys(of: ring))
      #expect(told.contains(path + reason) && told.hasSuffix("; the keys stay as they were"))
      #expect(!told.contains("0123456789abcde") && !told.contains("environment-secret"))
      #expect(try ring.current == keys(environment + "\n" + changed), "\(told)")
    }
    _ = try folder.makePipe("keys")
    #expect(configuration.reloadKeys(of: ring)?.contains("it is no ordinary file") == true)
    #expect(Configuration().reloadKeys(of: ring) == nil)
  }

  @Test func `a pipe to which nobody writes is refused, and one to which somebody does is read`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.makePipe("pipe")
    let refusal = ConfigurationError.unreadable(
      path: path,
      reason: "it is a pipe, and nobody writes to it"
    )
    #expect(throws: refusal) { try readFile(path, limit: 100) }
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(Self.first.utf8))
    try pipe.fileHandleForWriting.close()
    let number = pipe.fileHandleForReading.fileDescriptor
    #expect(try readFile("/dev/fd/\(number)", limit: 100) == Array(Self.first.utf8))
  }

  @Test func `so does a faulty variable, and a file that is not there`() {
    for (text, place) in [("", ": there are"), ("a:short", ", word 1: "), ("# x:y", ", word 1: ")] {
      let error = #expect(throws: ConfigurationError.self) {
        try resolve([], ["TREE_SERVER_KEYS=" + text])
      }
      #expect(error?.description.hasPrefix("TREE_SERVER_KEYS" + place) == true)
    }
    #expect(throws: ConfigurationError.unreadable(path: "x", reason: "no such file")) {
      try resolve(["--keys-file=x"])
    }
    #expect(throws: ConfigurationError.givenTwice("TREE_SERVER_KEYS")) {
      try resolve([], ["TREE_SERVER_KEYS=\(Self.first)", "TREE_SERVER_KEYS=\(Self.second)"])
    }
  }
}
