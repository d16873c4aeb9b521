import HTTP

/// A connection state machine with a simple owner.
struct Wire {
  private var state: ConnectionState
  private let now = Moment(milliseconds: 0, date: DateStamp(unixSeconds: 0))
  /// The handled requests, the answers, and the end of the connection.
  private(set) var transcript: [UInt8] = []
  /// The contents of the handled requests.
  private(set) var contents: [[UInt8]] = []
  private(set) var hasEnded = false

  /// Limits that short inputs reach.
  static var limits: Limits {
    var limits = Limits()
    limits.maxRequestLineBytes = 128
    limits.maxHeaderBytes = 256
    limits.maxHeaderFields = 8
    limits.maxBodyBytes = 1_000
    limits.maxChunkOverheadBytes = 64
    limits.bufferBytesKept = 32
    return limits
  }

  init(limits: Limits = Wire.limits) {
    state = ConnectionState(
      limits: limits,
      hosts: .loopback(),
      router: Router(),
      codingPolicy: CodingPolicy(),
      ids: RequestIDs(seed: 1),
      now: now
    )
  }

  mutating func feed(_ bytes: ArraySlice<UInt8>) {
    guard !hasEnded, !bytes.isEmpty else { return }
    run()
    state.receive(bytes, now: now)
    run()
  }

  /// Executes the actions of the state machine until it waits for bytes.
  private mutating func run() {
    while !hasEnded {
      switch state.next() {
      case .handle(let request): handle(request)
      case .choose: state.choose(nil, now: now, waker: Waker {})
      case .code(let content): state.coded(content.bytes, now: now)
      case .record: break
      case .write: write()
      case .read: return
      case .shutdownWrite: append("shut")
      case .close, .reset: hasEnded = true
      case .wait, .finish: preconditionFailure("no answer is deferred and no body is streamed")
      }
    }
  }

  private mutating func handle(_ request: Request) {
    append(request.method.rawValue)
    for index in 0..<request.target.segmentCount {
      append("/")
      transcript += request.target.segment(at: index)
    }
    for index in 0..<request.target.queryCount {
      let item = request.target.queryItem(at: index)
      transcript += item.name + item.value
    }
    for index in 0..<request.fields.count {
      transcript += request.fields.name(at: index) + request.fields.value(at: index)
    }
    transcript += request.body
    contents.append(request.body)
    let response = Response(.ok, contentType: "text/plain", body: request.body)
    state.reply(.response(response), now: now, waker: Waker {})
  }

  /// Omits interim answers. They are sent only if the content did not arrive together with the
  /// head.
  private mutating func write() {
    let bytes = state.unwritten
    if !bytes.elementsEqual("HTTP/1.1 100 Continue\r\n\r\n".utf8) { transcript += bytes }
    state.wrote(bytes.count, now: now)
  }

  private mutating func append(_ text: String) { transcript += Array("\n\(text) ".utf8) }
}
