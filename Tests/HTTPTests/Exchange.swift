@testable import HTTP

/// A driver of a `ConnectionState` without a socket, with a clock that tests advance.
struct Exchange {
  var state: ConnectionState
  var milliseconds = 0
  var requests: [Request] = []
  var output: [UInt8] = []
  var isWriteShut = false
  var isClosed = false
  var isReset = false
  /// The records of exchanges that are over.
  var records: [ExchangeRecord] = []
  /// Handles a request.
  var handle: (Request) -> Reply = { .response(Self.echo($0)) }
  /// Returns the receiver for the content of a request.
  var chooseReceiver: (Request) -> (any BodyReceiver)? = { _ in nil }
  /// Encodes content by putting it in brackets.
  var code: ((UncodedContent, inout ConnectionState, Moment) -> Void)? = { content, state, now in
    let begin = content.isFirst ? "[" : ""
    let end = content.isLast ? "]" : "|"
    state.coded(Array(begin.utf8) + content.bytes + Array(end.utf8), now: now)
  }
  /// True if the peer reads what is sent.
  var takesOutput = true

  init(
    limits: Limits = Limits(),
    hosts: HostRule = .loopback(),
    router: Router = Router(),
    crossOrigin: CrossOriginPolicy? = nil,
    coding: CodingPolicy? = nil
  ) {
    let start = Moment(milliseconds: 0, date: DateStamp(unixSeconds: 0))
    state = ConnectionState(
      limits: limits,
      hosts: hosts,
      router: router,
      crossOrigin: crossOrigin,
      codingPolicy: coding,
      ids: RequestIDs(seed: 1),
      now: start
    )
  }

  /// Creates an exchange that is fed an input, split at the cuts.
  init(_ input: [UInt8], cuts: [Int] = [], limits: Limits = Limits()) {
    self.init(limits: limits)
    var start = 0
    for end in cuts + [input.count] where end > start {
      feed(Array(input[start..<end]))
      start = end
    }
  }

  /// Creates an exchange that is fed a bad request.
  init(_ refusal: RefusalCase) {
    self.init(refusal.raw, limits: refusal.limits)
    pass(milliseconds: refusal.silenceMilliseconds)
  }

  var now: Moment { Moment(milliseconds: milliseconds, date: DateStamp(unixSeconds: 0)) }

  mutating func feed(_ text: String) { feed(Array(text.utf8)) }

  mutating func feed(_ bytes: [UInt8]) {
    run()
    guard !isClosed else { return }
    state.receive(bytes[...], now: now)
    run()
  }

  mutating func closePeer() {
    state.peerClosed(now: now)
    run()
  }

  mutating func pass(milliseconds: Int) {
    self.milliseconds += milliseconds
    state.expire(now: now)
    run()
  }

  mutating func drain() {
    state.drain(now: now)
    run()
  }

  mutating func wake() {
    state.wake(now: now)
    run()
  }

  mutating func finishPeer() {
    state.peerFinished(now: now)
    run()
  }

  /// Carries out the actions of the state until it waits for an event.
  mutating func run() {
    while !isClosed {
      switch state.next() {
      case .handle(let request):
        requests.append(request)
        state.reply(handle(request), now: now, waker: Waker {})
      case .code(let content):
        let (code, now) = (code, now)
        code?(content, &state, now)
      case .record(let record): records.append(record)
      case .choose(let request): state.choose(chooseReceiver(request), now: now, waker: Waker {})
      case .finish(let receiver): state.reply(receiver.finish(), now: now, waker: Waker {})
      case .write:
        guard takesOutput else { return }
        output += state.unwritten
        state.wrote(state.unwritten.count, now: now)
      case .read, .wait: return
      case .shutdownWrite: isWriteShut = true
      case .close: isClosed = true
      case .reset:
        isClosed = true
        isReset = true
      }
    }
  }

  /// Returns a response that describes the request as it was understood.
  static func echo(_ request: Request) -> Response {
    Response(.ok, contentType: "text/plain", body: Array(describe(request).utf8))
  }

  static func describe(_ request: Request) -> String {
    let target = request.target
    let segments = (0..<target.segmentCount).map { String(text: target.segment(at: $0)) }
    let query = (0..<target.queryCount).map { index in
      let item = target.queryItem(at: index)
      return "\(String(text: item.name))=\(String(text: item.value))"
    }
    return [
      request.method.rawValue, segments.joined(separator: "|"), query.joined(separator: "&"),
      String(text: request.body),
    ].joined(separator: " ")
  }

  var answerText: String { String(text: output) }

  /// The statuses of the responses in order, without interim ones.
  var statuses: [Int] {
    let marker = Array("HTTP/1.1 ".utf8)
    let starts = output.indices.filter { output[$0...].starts(with: marker) }
    let codes = starts.compactMap { start in
      Int(String(text: output[(start + marker.count)...].prefix(3)))
    }
    return codes.filter { $0 != 100 }
  }

  /// All that a peer and a handler see, except for the interim response.
  ///
  /// The interim response depends on the content arriving with its head.
  var transcript: String {
    let seen = requests.map(Self.describe).joined(separator: "\n")
    return seen + "\n" + answerText.replacing("HTTP/1.1 100 Continue\r\n\r\n", with: "")
      + " shut=\(isWriteShut) closed=\(isClosed)"
  }
}

extension String {
  init(text bytes: some Collection<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }

  /// Returns the text with all occurrences of a part replaced, from left to right.
  func replacing(_ text: String, with other: String) -> String {
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    let pattern = Array(text.utf8)
    while !rest.isEmpty {
      if rest.starts(with: pattern) {
        result += other.utf8
        rest = rest.dropFirst(pattern.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(text: result)
  }
}
