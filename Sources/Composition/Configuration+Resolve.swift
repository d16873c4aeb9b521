internal import HTTP
internal import HTTPServer
internal import TreeAPI

/// The task that the command line asks for.
enum Invocation: Equatable {
  /// Print the help and stop.
  case help

  /// Print the version and stop.
  case version

  /// Print the configuration, verify the storage, and stop.
  case check(Configuration)

  /// Copy all that is stored to the storage of the second configuration and stop.
  case copy(Configuration, to: Configuration)

  /// Serve.
  case serve(Configuration)
}

extension Configuration {
  /// The maximum size of a configuration file, and of a file of keys, in bytes.
  static let maxFileBytes = 65_536

  /// Resolves the configuration.
  ///
  /// A flag overrides the environment, the environment overrides the file, and the file overrides
  /// the default.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - environment: All environment variables, as `NAME=value`.
  ///   - passed: The addresses of the sockets that a service manager passed. They replace `host`,
  ///     `port` and `unixSocket`.
  ///   - contents: Returns the content of the file at a path.
  /// - Returns: The task, with the resolved configuration.
  /// - Throws: ``ConfigurationError`` for the first fault in this order: command line, environment
  ///   variables, file, ranges, keys, addresses, storage.
  static func resolve(
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
      try ConfigurationFile.settings(in: contents(path), named: path).apply(to: &configuration)
    }
    try variables.settings.apply(to: &configuration)
    try commandLine.settings.apply(to: &configuration)
    configuration.passed = passed
    try configuration.readKeys(variables.keys, contents)
    try configuration.readClusterSecret(contents)
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
    target.advertise = ""
    try target.checkStorage()
    guard storage != "memory", text.hasPrefix("sqlite:") || target.isDatabase else {
      throw .uselessCopy
    }
    return target
  }

  /// Checks the kind of storage, and that the data folder and the access log have a path.
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
    guard advertise.isEmpty || isDatabase else { throw .faultyCluster(.noDatabase) }
    guard storage != "sqlite" || !data.isEmpty else { throw .noFolder }
    guard !accessLog.isEmpty else { throw .emptyPath("accessLog") }
  }

  /// Parses `corsOrigins`, and checks the names in `allowedHosts`.
  private mutating func readOrigins() throws(ConfigurationError) {
    do throws(WebOrigins.Fault) {
      origins = try WebOrigins(list: corsOrigins)
    } catch {
      throw .malformedOrigin(error.text)
    }
    for name in hostNames where !HostRule.isName(name) { throw .malformedHostName(name) }
  }

  /// Refuses to listen without keys on an address that other machines can reach, unless
  /// `allowUnauthenticatedRemote` is true.
  ///
  /// Without keys, every client may do everything.
  private func checkHost() throws(ConfigurationError) {
    guard !host.isEmpty || !unixSocket.isEmpty || !passed.isEmpty else { throw .nowhereToListen }
    guard host.isEmpty || SocketAddress(host: host, port: 0) != nil else {
      throw .malformedHost(host)
    }
    guard keys.isEmpty, !allowUnauthenticatedRemote, !isLoopback else { return }
    if let remote = passed.first(where: { !$0.isLoopback }) { throw .remoteSocket(remote.text) }
    throw .remoteHost(host)
  }

  /// Checks the address for other instances, and reads the secret that they share.
  ///
  /// - Throws: ``ConfigurationError`` if the secret is missing, or is not one word of 16 to 512
  ///   visible characters.
  private mutating func readClusterSecret(
    _ contents: (String) throws(ConfigurationError) -> [UInt8]
  ) throws(ConfigurationError) {
    guard !advertise.isEmpty else { return }
    guard Upstream.isAddress(advertise) else {
      throw .faultyCluster(.malformedAddress(advertise))
    }
    guard !clusterSecretFile.isEmpty else { throw .faultyCluster(.noSecret) }
    let words = try contents(clusterSecretFile).split { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    guard words.count == 1, let secret = ClusterSecret(words[0]) else {
      throw .faultyCluster(.malformedSecret(clusterSecretFile))
    }
    clusterSecret = secret
  }

  /// Checks the path and the mode of the Unix socket.
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
