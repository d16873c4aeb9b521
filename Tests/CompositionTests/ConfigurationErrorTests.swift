import HTTPServer
import Testing

@testable import Composition

@Suite struct `Configuration refusals` {
  struct Refusal: Sendable, CustomTestStringConvertible {
    var arguments: [String] = []
    var environment: [String] = []
    var file = "{}"
    let message: String
    var testDescription: String { message }
  }

  static let refusals = [
    Refusal(
      arguments: ["--max-body-byte", "1"],
      message: """
        unknown flag --max-body-byte; did you mean --max-body-bytes? --help lists every setting
        """
    ),
    Refusal(
      arguments: ["--frobnicate"],
      message: "unknown flag --frobnicate; --help lists every setting"
    ),
    Refusal(arguments: ["-p", "1"], message: "unknown flag -p; --help lists every setting"),
    Refusal(
      arguments: ["8080"],
      message: "unexpected argument 8080; settings are given as --flag value"
    ),
    Refusal(arguments: ["--port"], message: "--port needs a value"),
    Refusal(arguments: ["--port", "--loops", "1"], message: "--port needs a value"),
    Refusal(arguments: ["--config"], message: "--config needs a value"),
    Refusal(
      arguments: ["--port", "1", "--port=1"],
      message: "--port is given twice; leave one of them out"
    ),
    Refusal(
      arguments: ["--config", "f", "--config", "f"],
      message: "--config is given twice; leave one of them out"
    ),
    Refusal(
      arguments: ["--port", "+5"],
      message: "--port must be a whole number from 0 to 65535, not \"+5\""
    ),
    Refusal(
      arguments: ["--port", "-1"],
      message: "--port must be a whole number from 0 to 65535, not \"-1\""
    ),
    Refusal(
      arguments: ["--port="],
      message: "--port must be a whole number from 0 to 65535, not \"\""
    ),
    Refusal(
      arguments: ["--port", "99999999999999999999"],
      message: "--port must be a whole number from 0 to 65535, not \"99999999999999999999\""
    ),
    Refusal(arguments: ["--port=65536"], message: "--port must be from 0 to 65535, not 65536"),
    Refusal(
      arguments: ["--allow-unauthenticated-remote", "yes"],
      message: "--allow-unauthenticated-remote must be true or false, not \"yes\""
    ),
    Refusal(
      environment: ["TREE_SERVER_PROT=1"],
      message: """
        unknown environment variable TREE_SERVER_PROT; did you mean TREE_SERVER_PORT? --help \
        lists every setting
        """
    ),
    Refusal(
      environment: ["TREE_SERVER_PORT=1", "TREE_SERVER_PORT=1"],
      message: "TREE_SERVER_PORT is given twice; leave one of them out"
    ),
    Refusal(
      environment: ["TREE_SERVER_PORT"],
      message: "TREE_SERVER_PORT must be a whole number from 0 to 65535, not \"\""
    ),
    Refusal(
      environment: ["TREE_SERVER_WORKERS=0"],
      message: "TREE_SERVER_WORKERS must be from 1 to 1024, not 0"
    ),
    Refusal(
      arguments: ["--cors-origins", "https://a.example, *"],
      message: """
        corsOrigins: "*" is no origin; write each as browsers do, such as \
        https://app.example:8443, in lower case, without a path, a usual port, * or null
        """
    ),
    Refusal(
      arguments: ["--allowed-hosts", "a.example, b.example:80"],
      message: """
        allowedHosts: "b.example:80" is no name of a host; write each in full, as trees.example, \
        without scheme, port and *
        """
    ),
    Refusal(
      arguments: ["--allowed-hosts", "*"],
      message: """
        allowedHosts: "*" is no name of a host; write each in full, as trees.example, without \
        scheme, port and *
        """
    ),
    Refusal(
      arguments: ["--unix-socket", String(repeating: "x", count: 108)],
      message: """
        unixSocket: a path has at most 107 bytes and no NUL, and this one has 108 bytes; choose a \
        shorter one
        """
    ),
    Refusal(
      arguments: ["--unix-socket=x", "--unix-socket-mode=680"],
      message: "unixSocketMode must be three octal digits, such as 660, not \"680\""
    ),
    Refusal(
      arguments: ["--unix-socket-mode=1777"],
      message: "unixSocketMode must be three octal digits, such as 660, not \"1777\""
    ),
    Refusal(
      arguments: ["--host="],
      message: "host is empty; name an address to listen on, or a unixSocket"
    ),
    Refusal(
      arguments: ["--host", "foo"],
      message: "host foo is no address; give a numeric one, or localhost"
    ),
    Refusal(
      arguments: ["--access-log="],
      message: "accessLog is empty; name a file, or leave it out"
    ),
    Refusal(
      environment: ["TREE_SERVER_CONFIG="],
      message: "the path of the configuration is empty; name a file, or leave it out"
    ),
    Refusal(
      arguments: ["--config=missing"],
      message: "cannot read missing: no such file"
    ),
    Refusal(
      arguments: ["--config=f"],
      file: #"{"prot": 1}"#,
      message: "unknown setting in f: prot; did you mean port? --help lists every setting"
    ),
    Refusal(
      arguments: ["--config=f"],
      file: #"{"port": 1, "port": 1}"#,
      message: "port in f is given twice; leave one of them out"
    ),
    Refusal(
      arguments: ["--config=f"],
      file: #"{"port": "8080"}"#,
      message: "port in f must be a whole number from 0 to 65535, not \"8080\""
    ),
    Refusal(
      arguments: ["--config=f"],
      file: #"{"port": 1.5}"#,
      message: "port in f must be a whole number from 0 to 65535, not \"1.5\""
    ),
    Refusal(
      arguments: ["--config=f"],
      file: #"{"host": null}"#,
      message: "host in f must be a string, not \"null\""
    ),
    Refusal(
      arguments: ["--config=f"],
      file: "[]",
      message: "f is not a configuration: it must be one JSON object"
    ),
    Refusal(
      arguments: ["--config=f"],
      file: "{}\n{}",
      message: "f is not a configuration: it is not JSON; look at line 2"
    ),
  ]

  @Test(arguments: refusals)
  func `a refusal says what is wrong and what to do`(refusal: Refusal) {
    let error = #expect(throws: ConfigurationError.self) {
      try resolve(refusal.arguments, refusal.environment, files: ["f": refusal.file])
    }
    #expect(error?.description == refusal.message)
  }

  @Test func `a value the environment would override is still checked`() {
    #expect(throws: ConfigurationError.self) {
      try resolved(["--config=f"], ["TREE_SERVER_PORT=1"], file: #"{"port": 70000}"#)
    }
  }

  @Test func `one setting chooses the storage`() throws {
    let named = try resolved(["--storage", "sqlite:elsewhere"])
    #expect(named == (try resolved(["--storage=sqlite", "--data=elsewhere"])))
    #expect(throws: ConfigurationError.twoFolders("a", "b")) {
      try resolve(["--storage=sqlite:a", "--data=b"])
    }
    #expect(throws: ConfigurationError.noFolder) { try resolve(["--storage=sqlite:"]) }
    #expect(throws: ConfigurationError.unknownStorage("mysql://h/t")) {
      try resolve(["--storage=mysql://h/t"])
    }
    let database = try resolved(["--storage", "postgresql://me:secret@h/t", "--data="])
    #expect(database.isDatabase && database.storage == "postgresql://me:secret@h/t")
    for text in [database.rendered(), database.storagePlace, database.renderedDifferences() ?? ""] {
      #expect(text.contains("postgresql://me:***@h/t") && !text.contains("secret"))
    }
  }

  @Test func `a copy has a place to go to`() throws {
    guard case .copy(let source, let target) = try resolve(["--data=a", "--copy-to=sqlite:b"])
    else {
      Issue.record("no copy")
      return
    }
    #expect(source.data == "a" && target.data == "b" && target.storage == "sqlite")
    for arguments in [
      ["--copy-to=memory"], ["--copy-to=sqlite"], ["--storage=memory", "--copy-to=sqlite:a"],
    ] {
      #expect(throws: ConfigurationError.uselessCopy) { try resolve(arguments) }
    }
    #expect(throws: ConfigurationError.missingValue("--copy-to")) { try resolve(["--copy-to"]) }
  }

  @Test func `what is stored has a folder`() throws {
    #expect(throws: ConfigurationError.noFolder) { try resolve(["--data="]) }
    #expect(try resolved(["--data=", "--storage=memory"]).data == "")
  }

  @Test func `variables of other programs are left alone`() throws {
    #expect(try resolve([], ["PATH=/bin", "TREE_SERVE=1"]) == .serve(Configuration()))
  }

  @Test func `what Kubernetes tells of a service of this name is no setting`() throws {
    let links = [
      "TREE_SERVER_SERVICE_HOST=10.0.0.1", "TREE_SERVER_SERVICE_PORT=80",
      "TREE_SERVER_SERVICE_PORT_HTTP=80", "TREE_SERVER_PORT=tcp://10.0.0.1:80",
      "TREE_SERVER_PORT_80_TCP=tcp://10.0.0.1:80", "TREE_SERVER_PORT_80_TCP_PROTO=tcp",
      "TREE_SERVER_PORT_80_TCP_PORT=80", "TREE_SERVER_PORT_80_TCP_ADDR=10.0.0.1",
    ]
    #expect(try resolve([], links) == .serve(Configuration()))
    #expect(throws: ConfigurationError.self) { try resolve([], ["TREE_SERVER_PORT_HTTP=80"]) }
  }

  @Test func `a Unix socket is this machine's own, and beside it a host is what it is`() throws {
    let alone = try resolved(["--host=", "--unix-socket=x", "--unix-socket-mode=0660"])
    #expect(alone.serverOptions.localSocket == LocalSocket(path: "x", mode: 0o660))
    #expect(alone.isLoopback && alone.hostRule == nil && alone.places(port: 0) == ["unix:x"])
    #expect(throws: ConfigurationError.remoteHost("0.0.0.0")) {
      try resolve(["--host=0.0.0.0", "--unix-socket=x"])
    }
    let longest = String(repeating: "x", count: LocalSocket.maxPathBytes)
    #expect(try resolved(["--unix-socket", longest]).localSocket?.path == longest)
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.0.9", "::1", "localhost", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1",
  ])
  func `a loopback host is allowed`(host: String) throws {
    #expect(try resolved(["--host", host]).host == host)
  }

  @Test(arguments: [
    "127.0.0.1.example.org", "127.0.0", "127.0.0.256", "127.0.0.01", "127.0.0.", "example.org",
  ])
  func `a host that is no address is refused in any case`(host: String) throws {
    for more in [[], ["--allow-unauthenticated-remote"]] {
      let error = #expect(throws: ConfigurationError.self) { try resolve(["--host", host] + more) }
      #expect(error == .malformedHost(host))
    }
  }

  @Test(arguments: ["0.0.0.0", "::", "192.0.2.7", "128.0.0.1"])
  func `a host that other machines can reach is refused unless allowed`(host: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try resolve(["--host", host]) }
    #expect(error == .remoteHost(host))
    let allowed = ["--host", host, "--allow-unauthenticated-remote"]
    #expect(try resolved(allowed).host == host)
  }
}
