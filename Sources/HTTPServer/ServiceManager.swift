/// The service manager that started this process and is notified of its state (sd_notify(3)).
package struct ServiceManager: Sendable {
  /// A state of the service.
  package enum State: Equatable, Sendable {
    /// Starting; the text describes the current step.
    case starting(String)
    /// Ready to answer requests; the text says at which address.
    case ready(String)
    /// Reading the configuration again; ``ready(_:)`` follows.
    case reloading
    /// Stopping; the text gives the reason.
    case stopping(String)
  }

  /// The variable with the address of the manager's socket.
  static let variable = "NOTIFY_SOCKET"
  /// The number of attempts, and the milliseconds between them, while the manager's socket is full.
  private static let tries = 20
  private static let waitMilliseconds = 10

  private let address: SocketAddress

  /// Creates the manager that the environment names, or nil if it names none.
  ///
  /// - Parameter environment: All variables as `NAME=value`.
  /// - Throws: ``MalformedAddress`` if the address is neither a path nor an abstract name.
  package init?(environment: [String]) throws(ServiceManager.MalformedAddress) {
    guard let text = environment.value(of: Self.variable), !text.isEmpty else { return nil }
    var bytes = Array(text.utf8)
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    guard isAbstract || bytes[0] == UInt8(ascii: "/"),
      2...LocalSocket.maxPathBytes ~= bytes.count
    else { throw MalformedAddress(text: text) }
    if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
    address = SocketAddress(local: bytes)
  }

  /// An invalid address of a service manager.
  package struct MalformedAddress: Error, Equatable, Sendable {
    /// The address.
    package let text: String
  }

  /// Notifies the manager of a state.
  ///
  /// It blocks for at most about 200 ms.
  ///
  /// - Throws: The error of a system call.
  package func notify(_ state: State) throws(SystemError) {
    let socket = try Syscalls.openDatagrams()
    for attempt in 1...Self.tries {
      do throws(SystemError) {
        return try Syscalls.send(state.message, to: address, from: socket.number)
      } catch {
        guard attempt < Self.tries, error.code == Syscalls.wouldBlock else { throw error }
        Syscalls.sleep(milliseconds: Self.waitMilliseconds)
      }
    }
  }

  /// Removes the variables of the service manager's protocols, so that child processes lack them.
  ///
  /// - Precondition: No other thread has been started.
  package static func clearEnvironment() {
    for name in PassedSockets.variables + [variable] { Syscalls.removeVariable(name) }
  }
}

extension ServiceManager.State {
  /// The assignments of the state, one a line.
  fileprivate var message: [UInt8] {
    let lines: [String] =
      switch self {
      case .starting(let status): ["STATUS=\(status)"]
      case .ready(let status): ["READY=1", "STATUS=\(status)"]
      case .reloading:
        ["RELOADING=1", "MONOTONIC_USEC=\(Syscalls.monotonicNanoseconds() / 1_000)"]
      case .stopping(let status): ["STOPPING=1", "STATUS=\(status)"]
      }
    return Array(lines.joined(separator: "\n").utf8)
  }
}
