import Testing

@testable import Composition

@Suite struct `Resolving the configuration` {
  @Test func `without anything said the built-in defaults hold`() throws {
    #expect(try resolve() == .serve(Configuration()))
  }

  @Test func `a file wins over the defaults`() throws {
    #expect(try resolved(["--config", "f"], file: #"{"port": 1}"#).port == 1)
  }

  @Test func `the environment wins over the file`() throws {
    let configuration = try resolved(
      ["--config", "f"],
      ["TREE_SERVER_PORT=2"],
      file: #"{"port": 1, "loops": 3}"#
    )
    #expect(configuration.port == 2)
    #expect(configuration.loops == 3)
  }

  @Test func `a flag wins over the environment`() throws {
    #expect(try resolved(["--port", "4"], ["TREE_SERVER_PORT=2"]).port == 4)
  }

  @Test func `the environment can name the file, and the command line another`() throws {
    let named = ["TREE_SERVER_CONFIG=b"]
    let files = ["a": #"{"port": 1}"#, "b": #"{"port": 2}"#]
    #expect(try resolved([], named, files: files).port == 2)
    #expect(try resolved(["--config=a"], named, files: files).port == 1)
  }

  @Test func `help wins over everything that is resolved later`() throws {
    #expect(try resolve(["--help"], ["TREE_SERVER_NO=1"]) == .help)
    #expect(try resolve(["--port", "1", "-h"]) == .help)
  }

  @Test func `check resolves without serving`() throws {
    var expected = Configuration()
    expected.port = 9
    #expect(try resolve(["--check", "--port=9"]) == .check(expected))
  }

  @Test(arguments: Setting.all.map(\.name))
  func `every setting is reached from file, environment and flag`(name: String) throws {
    let setting = try #require(Setting.all.first { $0.name == name })
    let sample = setting.sample
    let json = if case .text = setting.field { "\"\(sample)\"" } else { "\(sample)" }
    let remote = "TREE_SERVER_ALLOW_UNAUTHENTICATED_REMOTE=true"
    var others = name == "allowUnauthenticatedRemote" ? [] : [remote]
    if name == "advertise" {
      others += ["TREE_SERVER_STORAGE=postgresql://h/t", "TREE_SERVER_CLUSTER_SECRET_FILE=keys"]
    }

    let fromFile = try resolved(["--config=f"], others, file: "{\"\(name)\": \(json)}")
    let fromEnvironment = try resolved([], others + ["\(setting.variable)=\(sample)"])
    let fromFlag = try resolved([setting.flag, "\(sample)"], others)
    for configuration in [fromFile, fromEnvironment, fromFlag] {
      #expect(setting.value(in: configuration) == sample)
    }
  }

  @Test func `no two settings share a field or a name`() {
    for setting in Setting.all {
      var configuration = Configuration()
      #expect(throws: Never.self) {
        try setting.apply(setting.sample, from: setting.name, to: &configuration)
      }
      let changed = Setting.all.filter { $0.value(in: configuration) != $0.builtIn }
      #expect(changed.map(\.name) == [setting.name])
    }
    #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
  }

  @Test func `every default lies in its own range`() throws {
    var configuration = Configuration()
    for setting in Setting.all {
      try setting.apply(setting.builtIn, from: setting.name, to: &configuration)
    }
    #expect(configuration == Configuration())
  }

  @Test func `what is printed is read back as the same`() throws {
    var configuration = Configuration()
    configuration.host = "::1"
    configuration.port = 0
    configuration.allowUnauthenticatedRemote = true
    #expect(try resolved(["--config=f"], file: configuration.rendered()) == configuration)
  }

  @Test func `help names every flag with its default`() {
    let help = helpText()
    for setting in Setting.all {
      #expect(help.contains(setting.flag + " "))
      let builtIn = "\(setting.builtIn)"
      #expect(help.contains("default \(builtIn.isEmpty ? "empty" : builtIn))"))
    }
  }
}

extension Setting {
  /// The value of the setting in the built-in configuration.
  var builtIn: SettingValue { value(in: Configuration()) }

  private static let texts = [
    "storage": "memory", "keysFile": "keys", "corsOrigins": "https://a.example",
    "unixSocketMode": "660", "advertise": "10.0.0.5:8080",
  ]

  /// A value that is allowed and is not the default.
  var sample: SettingValue {
    switch field {
    case .text: .text(Self.texts[name] ?? "192.0.2.7")
    case .boolean: .boolean(builtIn == .boolean(false))
    case .integer(_, let range):
      .integer(builtIn == .integer(range.upperBound) ? range.lowerBound : range.upperBound)
    }
  }
}

/// Resolves a configuration from texts; there is always a file `keys`, with one key.
func resolve(
  _ arguments: [String] = [],
  _ environment: [String] = [],
  files: [String: String] = [:]
) throws(ConfigurationError) -> Invocation {
  try Configuration.resolve(arguments: arguments, environment: environment) {
    (path) throws(ConfigurationError) in
    let text = files[path] ?? (path == "keys" ? "one:0123456789abcdef" : nil)
    guard let text else { throw .unreadable(path: path, reason: "no such file") }
    return Array(text.utf8)
  }
}

/// Resolves a configuration to serve with, the file being called `f`.
func resolved(
  _ arguments: [String] = [],
  _ environment: [String] = [],
  file: String = "{}",
  files: [String: String]? = nil
) throws -> Configuration {
  let invocation = try resolve(arguments, environment, files: files ?? ["f": file])
  guard case .serve(let configuration) = invocation else {
    Issue.record("the invocation is not to serve: \(invocation)")
    return Configuration()
  }
  return configuration
}
