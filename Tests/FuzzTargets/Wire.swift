import HTTP

/// A connection and what its owner sees of it.
struct Wire {
  private var state: ConnectionState
  private let now = Moment(milliseconds: 0, date: DateStamp(unixSeconds: 0))
  /// What was handled and answered, and how it ended.
  private(set) var transcript: [UInt8] = []
  /// The contents of the requests that were handled.
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

  /// Carries out what the state asks for, until it waits for more.
  private mutating func run() {
    while !hasEnded {
      switch state.next() {
      case .handle(let request): handle(request)
      case .choose: state.choose(nil, now: now, waker: Waker {})
      case .code(let content): state.coded(content.bytes, now: now)
      case .record: break
      case .write: write()
      case .read: return
      case .shutdownWrite: note("shut")
      case .close, .reset: hasEnded = true
      case .wait, .finish: preconditionFailure("nothing takes time, and nothing is received")
      }
    }
  }

  private mutating func handle(_ request: Request) {
    note(request.method.rawValue)
    for index in 0..<request.target.segmentCount {
      note("/")
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

  /// Leave to send the content is asked for only where the content did not come with the head.
  private mutating func write() {
    let bytes = state.unwritten
    if !bytes.elementsEqual("HTTP/1.1 100 Continue\r\n\r\n".utf8) { transcript += bytes }
    state.wrote(bytes.count, now: now)
  }

  private mutating func note(_ text: String) { transcript += Array("\n\(text) ".utf8) }
}
