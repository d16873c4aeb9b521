internal import HTTP
internal import TreeAPI

/// What the program was started to do.
enum Invocation: Equatable {
  /// Print the help and stop.
  case help

  /// Print the configuration and stop.
  case check(Configuration)

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
  ///   - contents: Gives the bytes of the configuration file, given its path.
  /// - Returns: What to do, with the settled configuration.
  /// - Throws: ``ConfigurationError``: the first thing found wrong, in the order command line,
  ///   environment, file, ranges, keys, address.
  static func settle(
    arguments: [String],
    environment: [String],
    contents: (String) throws(ConfigurationError) -> [UInt8]
  ) throws(ConfigurationError) -> Invocation {
    let commandLine = try CommandLineArguments(parsing: arguments)
    if commandLine.wantsHelp { return .help }
    let variables = try EnvironmentVariables(parsing: environment)

    var configuration = Configuration()
    if let path = commandLine.configurationPath ?? variables.configurationPath {
      try settings(inFile: contents(path), named: path).apply(to: &configuration)
    }
    try variables.settings.apply(to: &configuration)
    try commandLine.settings.apply(to: &configuration)
    try configuration.readKeys(variables.keys, contents)
    try configuration.readOrigins()
    try configuration.checkHost()
    try configuration.checkStorage()
    return commandLine.wantsCheck ? .check(configuration) : .serve(configuration)
  }

  /// Works out what this process was asked for.
  ///
  /// - Throws: ``ConfigurationError``, as ``settle(arguments:environment:contents:)`` does.
  static func settle() throws(ConfigurationError) -> Invocation {
    try settle(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: EnvironmentVariables.ofThisProcess(),
      contents: { (path) throws(ConfigurationError) in try readFile(path, limit: maxFileBytes) }
    )
  }

  /// Refuses a storage that there is not.
  private func checkStorage() throws(ConfigurationError) {
    guard ["sqlite", "memory"].contains(storage) else { throw .unknownStorage(storage) }
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
    guard !keys.isEmpty || allowUnauthenticatedRemote || isLoopback(host) else {
      throw .remoteHost(host)
    }
  }
}

/// Whether a host is only this machine: `localhost`, `::1`, or an address in 127.0.0.0/8
/// (RFC 1122, section 3.2.1.3).
func isLoopback(_ host: String) -> Bool {
  if host == "localhost" || host == "::1" { return true }
  let octets = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  let isAddress = octets.count == 4 && octets.allSatisfy(isOctet)
  return isAddress && host.hasPrefix("127.")
}

/// Whether bytes are a number from 0 to 255 without a leading zero, which libc reads as octal.
private func isOctet(_ text: Substring.UTF8View) -> Bool {
  let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  guard (1...3).contains(text.count), text.allSatisfy(digits.contains) else { return false }
  guard text.count == 1 || text.first != digits.lowerBound else { return false }
  return text.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } <= 255
}
