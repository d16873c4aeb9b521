import HTTP

// Bytes of requests and responses.
extension UpstreamLoop {
  /// Sends and receives as many bytes as possible without waiting.
  func pump(_ connection: UpstreamConnection) {
    write(connection)
    if connection.isSendingLast, connection.isRequestSent {
      Syscalls.shutdownWrite(connection.descriptor.number)
    }
    read(connection)
  }

  private func write(_ connection: UpstreamConnection) {
    while connection.isWritable, !connection.isSendingBroken, let exchange = connection.exchange {
      if connection.output.isEmpty {
        guard !connection.isRequestTaken else { return }
        (connection.output, connection.isRequestTaken) = exchange.popOutgoing()
        if connection.output.isEmpty { return }
      }
      let (number, rest) = (connection.descriptor.number, connection.output[connection.written...])
      switch Syscalls.send(number, rest, andThen: connection.content) {
      case .bytes(let count):
        exchange.recordSent(connection.wrote(count))
        connection.phaseStart = now
      case .wouldBlock: connection.isWritable = false
      // The server may have answered before it closed the connection.
      case .failed: connection.isSendingBroken = true
      }
    }
  }

  private func read(_ connection: UpstreamConnection) {
    while connection.isReadable, let exchange = connection.exchange, exchange.hasRoom {
      switch Syscalls.receive(connection.descriptor.number, into: &readBuffer) {
      case .bytes(0):
        connection.reader.finishInput()
        connection.isReadable = false
      case .bytes(let count):
        // Another call to confirm that all is read would cost a system call.
        connection.isReadable = count == readBuffer.count || connection.isEnding
        connection.reader.receive(readBuffer[..<count])
      case .wouldBlock:
        connection.isReadable = false
        return
      case .failed: return fail(connection)
      }
      guard passOn(from: connection, for: exchange) else { return }
    }
  }

  /// Passes on the parsed parts of the response.
  ///
  /// Returns false if the exchange is over.
  private func passOn(from connection: UpstreamConnection, for exchange: UpstreamExchange) -> Bool {
    var news = ForwardedNews()
    var isBroken = false
    do throws(ResponseFault) {
      while news.ending == nil, let event = try connection.reader.next() {
        switch event {
        case .proceed: news.mayProceed = true
        case .head(let head):
          news.head = head
          connection.hasHead = true
        case .content(let bytes): news.content += bytes
        case .end: news.ending = .whole
        }
      }
    } catch {
      isBroken = true
    }
    if news.ending == .whole {
      metrics.count(.answered)
      exchange.deliver(news)
      release(connection)
      return false
    }
    if news.mayProceed || news.head != nil || !news.content.isEmpty { exchange.deliver(news) }
    if isBroken { fail(connection) }
    return !isBroken
  }

  /// Ends the exchange of a broken connection, or sends the request again if that is safe.
  ///
  /// - Parameters:
  ///   - connection: The connection, which is closed.
  ///   - isFinal: True to send no request again.
  func fail(_ connection: UpstreamConnection, isFinal: Bool = false) {
    let exchange = connection.exchange
    let (hasHead, hasBegun) = (connection.hasHead, connection.reader.hasBegun)
    let (isSent, isReused) = (connection.isRequestSent, connection.isReused)
    close(connection)
    guard let exchange else { return }
    if hasHead { return end(exchange, .cut) }
    // A server may close an idle connection at the moment at which it is used again.
    let isHarmless = !isSent || exchange.request.isRepeatable
    let isAgain = isReused && !hasBegun && !isFinal && !isStopped
    if isAgain, isHarmless, !exchange.request.hasMore {
      return connect(exchange, fresh: true)
    }
    end(exchange, isSent ? .unknown : .undone)
  }
}
