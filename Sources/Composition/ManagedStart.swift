internal import HTTPServer

/// The sockets and the address that a service manager, such as systemd, gave the process.
struct ManagedStart: Sendable {
  /// The sockets that it passed; nil for none.
  let sockets: PassedSockets?
  private let manager: ServiceManager?

  /// Takes over what the environment names, and removes those variables.
  ///
  /// - Precondition: No other thread has been started.
  /// - Throws: ``ConfigurationError`` if something else than listening sockets was passed.
  init(_ environment: [String]) throws(ConfigurationError) {
    defer { ServiceManager.clearEnvironment() }
    do throws(PassedSockets.Fault) {
      sockets = try PassedSockets.take(environment: environment)
    } catch {
      throw .faultySocket(error)
    }
    do throws(ServiceManager.MalformedAddress) {
      manager = try ServiceManager(environment: environment)
    } catch {
      throw .malformedManager(error.text)
    }
  }

  /// Tells the manager a state, if there is a manager; says so if it cannot be told.
  func tell(_ state: ServiceManager.State) {
    do throws(SystemError) {
      try manager?.notify(state)
    } catch {
      say("cannot tell the service manager at NOTIFY_SOCKET: \(error)")
    }
  }
}

extension Configuration {
  /// A sentence for the operator if passed sockets take the place of settings that were given, else
  /// nil.
  var passedSocketsWarning: String? {
    let defaults = Configuration()
    let isGiven =
      host != defaults.host || port != defaults.port || unixSocket != defaults.unixSocket
    guard !passed.isEmpty, isGiven else { return nil }
    return "the service manager passes sockets; host, port and unixSocket are not used"
  }
}
