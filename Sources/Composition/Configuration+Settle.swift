internal import HTTP
internal import HTTPServer
internal import TreeAPI

/// What the program was started to do.
enum Invocation: Equatable {
  /// Print the help and stop.
  case help

  /// Print the version and stop.
  case version

  /// Print the configuration and stop.
  case check(Configuration)

  /// Copy all that is stored to the storage of the second configuration and stop.
  case copy(Configuration, to: Configuration)

  /// Serve.
  case serve(Configuration)
}

extension Configuration {
  /// The most bytes a configuration file may have.
  static let maxFileBytes = 65_536

  /// Works out what was asked for: flag over environment over file over built-in default.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - environment: Every variable, as `NAME=value`.
  ///   - passed: The addresses of the sockets that a service manager passed; they take the place
  ///     of `host`, `port` and `unixSocket`.
  ///   - contents: Gives the bytes of the configuration file, given its path.
  /// - Returns: What to do, with the settled configuration.
  /// - Throws: ``ConfigurationError``: the first thing found wrong, in the order command line,
  ///   environment, file, ranges, keys, addresses.
  static func settle(
    arguments: [String],
    environment: [String],
    passed: [PassedSockets.Place] = [],
    contents: (String) throws(ConfigurationError) -> [UInt8]
  ) throws(ConfigurationError) -> Invocation {
    let commandLine = try CommandLineArguments(parsing: arguments)
    if commandLine.wantsHelp { return .help }
    if commandLine.wantsVersion { return .version }
    let variables = try EnvironmentVariables(parsing: environment)

    var configuration = Configuration()
    if let path = commandLine.configurationPath ?? variables.configurationPath {
      guard !path.isEmpty else { throw .emptyPath("the path of the configuration") }
      try settings(inFile: contents(path), named: path).apply(to: &configuration)
    }
    try variables.settings.apply(to: &configuration)
    try commandLine.settings.apply(to: &configuration)
    configuration.passed = passed
    try configuration.readKeys(variables.keys, contents)
    try configuration.readOrigins()
    try configuration.checkSocket()
    try configuration.checkHost()
    try configuration.checkStorage()
    if let text = commandLine.copyTarget {
      return .copy(configuration, to: try configuration.copyTarget(text))
    }
    return commandLine.wantsCheck ? .check(configuration) : .serve(configuration)
  }

  /// Returns the configuration of the storage that another one is copied to.
  private func copyTarget(_ text: String) throws(ConfigurationError) -> Configuration {
    var target = self
    (target.storage, target.data) = (text, Configuration().data)
    try target.checkStorage()
    guard storage != "memory", text.hasPrefix("sqlite:") || target.isDatabase else {
      throw .uselessCopy
    }
    return target
  }

  /// Refuses a storage that there is not, and one, or a log, without a place.
  ///
  /// `sqlite:FOLDER` is the same as `sqlite` with the folder as `data`.
  private mutating func checkStorage() throws(ConfigurationError) {
    let prefix = "sqlite:"
    if storage.hasPrefix(prefix) {
      let folder = String(storage.dropFirst(prefix.count))
      guard data == Configuration().data || data == folder else { throw .twoFolders(folder, data) }
      (storage, data) = ("sqlite", folder)
    }
    guard ["sqlite", "memory"].contains(storage) || isDatabase else {
      throw .unknownStorage(shownStorage)
    }
    guard storage != "sqlite" || !data.isEmpty else { throw .noFolder }
    guard !accessLog.isEmpty else { throw .emptyPath("accessLog") }
  }

  /// Reads whose web pages may use the service, and to which names it answers.
  private mutating func readOrigins() throws(ConfigurationError) {
    do throws(WebOrigins.Fault) {
      origins = try WebOrigins(list: corsOrigins)
    } catch {
      throw .malformedOrigin(error.text)
    }
    for name in hostNames where !HostRule.isName(name) { throw .malformedHostName(name) }
  }

  /// Refuses an address that other machines can reach where there are no keys, unless the operator
  /// has taken that upon himself: whoever reaches the service may do everything.
  private func checkHost() throws(ConfigurationError) {
    guard !host.isEmpty || !unixSocket.isEmpty || !passed.isEmpty else { throw .nowhereToListen }
    guard host.isEmpty || SocketAddress(host: host, port: 0) != nil else {
      throw .malformedHost(host)
    }
    guard keys.isEmpty, !allowUnauthenticatedRemote, !isLoopback else { return }
    if let remote = passed.first(where: { !$0.isLoopback }) { throw .remoteSocket(remote.text) }
    throw .remoteHost(host)
  }

  /// Refuses a Unix socket that cannot be one.
  private func checkSocket() throws(ConfigurationError) {
    let digits = unixSocketMode.utf8
    guard 3...4 ~= digits.count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }),
      digits.count == 3 || digits.first == UInt8(ascii: "0")
    else { throw .malformedSocketMode(unixSocketMode) }
    guard unixSocket.isEmpty || localSocket != nil else { throw .malformedSocketPath(unixSocket) }
  }

  /// True if only this machine can connect.
  var isLoopback: Bool {
    guard passed.isEmpty else { return passed.allSatisfy(\.isLoopback) }
    return host.isEmpty || SocketAddress(host: host, port: 0)?.isLoopback ?? false
  }
}
