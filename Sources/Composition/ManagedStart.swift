internal import HTTPServer

/// The connection to the service manager, such as systemd, that started the process.
struct ManagedStart: Sendable {
  /// The sockets that the manager passed; nil if there are none.
  let sockets: PassedSockets?
  private let manager: ServiceManager?

  /// Takes over the passed sockets, and removes their variables from the environment.
  ///
  /// - Precondition: No other thread has been started.
  /// - Throws: ``ConfigurationError`` if something else than listening sockets was passed, or if
  ///   the manager's address is invalid.
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

  /// Notifies the manager, if there is one.
  ///
  /// Prints a message if that fails.
  func tell(_ state: ServiceManager.State) {
    do throws(SystemError) {
      try manager?.notify(state)
    } catch {
      say("cannot tell the service manager at NOTIFY_SOCKET: \(error)")
    }
  }
}
