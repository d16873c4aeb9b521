import HTTP

/// A transport over one connection, which is reopened when the server has closed it.
final class SocketAccess: Access {
  private let port: UInt16
  private var connection: BlockingConnection?

  init(port: UInt16) {
    self.port = port
  }

  func send(_ ask: Ask) throws -> Answer {
    let connection = try connection ?? BlockingConnection(port: port)
    try connection.send(ask.bytes)
    let answer = try connection.receive(toHead: ask.method == .head)
    self.connection = answer["Connection"] == "close" ? nil : connection
    return answer
  }
}
