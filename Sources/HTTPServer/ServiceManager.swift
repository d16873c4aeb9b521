/// The service manager that started this process, which is told how the process is doing
/// (sd_notify(3)).
public struct ServiceManager: Sendable {
  /// A state of the service.
  public enum State: Equatable, Sendable {
    /// It starts; the text says what it does.
    case starting(String)
    /// Requests are answered; the text says where.
    case ready(String)
    /// It reads its configuration anew, and is ready after that.
    case reloading
    /// It ends; the text says how.
    case stopping(String)
  }

  /// The variable with the address of the manager's socket.
  static let variable = "NOTIFY_SOCKET"
  /// The number of tries, and the milliseconds between them, to send a message for which the
  /// manager's socket has no room.
  private static let tries = 20
  private static let waitMilliseconds = 10

  private let address: SocketAddress

  /// Finds the manager that the environment names; returns nil if it names none.
  ///
  /// - Parameter environment: Every variable, as `NAME=value`.
  /// - Throws: ``MalformedAddress`` if the address is neither a path nor an abstract name.
  public init?(environment: [String]) throws(ServiceManager.MalformedAddress) {
    guard let text = environment.value(of: Self.variable), !text.isEmpty else { return nil }
    var bytes = Array(text.utf8)
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    guard isAbstract || bytes[0] == UInt8(ascii: "/"),
      2...LocalSocket.maxPathBytes ~= bytes.count
    else { throw MalformedAddress(text: text) }
    if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
    address = SocketAddress(local: bytes)
  }

  /// An address of a manager that cannot be used.
  public struct MalformedAddress: Error, Equatable, Sendable {
    /// The address.
    public let text: String
  }

  /// Tells the manager a state, without waiting long.
  ///
  /// - Throws: What the system refuses.
  public func notify(_ state: State) throws(SystemError) {
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

  /// Removes the variables of the manager's protocols, which are for this process alone.
  ///
  /// - Precondition: No other thread has been started.
  public static func clearEnvironment() {
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
