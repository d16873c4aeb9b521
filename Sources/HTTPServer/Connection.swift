import Coding
import HTTP

/// One connection of an event loop: a socket, its state, and what is known about the socket.
final class Connection {
  let descriptor: FileDescriptor
  let token: EventToken
  /// The address of the peer, or `unix`; empty where no log wants it.
  let remote: String
  var state: ConnectionState
  /// False after reading found nothing more, until the next event says otherwise; a request may
  /// have come with the connection.
  var isReadable = true
  /// Whether there may be more to read where less came than there was room for: behind urgent data,
  /// and by a Unix socket, where reading stops at a descriptor that was sent along (unix(7)).
  var isReadInPieces: Bool
  /// Whether the end of the stream is there to be read, which no further event will say.
  var isEnding = false
  /// False after the socket was full, until the next event says otherwise.
  var isWritable = true
  /// Under which address it is counted, if under any.
  var network: PeerAddress?
  /// Whether its last request showed credentials, where those that are refused are counted.
  var showsCredentials = false
  /// Whether it showed somebody's credentials before its address was to wait, and none since that
  /// were refused.
  var isTrusted = false
  /// Whether it is not served, only told so.
  var isTurnedAway = false
  /// How many bytes are counted as held by it.
  var countedBytes = 0
  /// The number of them that are an answer's.
  var countedAnswerBytes = 0
  /// Whether it is counted among those in the middle of an exchange.
  var isInFlight = false
  /// Whether it is counted among those whose answer comes within microseconds.
  var isAnswerNear = false
  /// Whether its late answer is to be asked, or what was coded for it to be taken.
  var isWoken = false
  /// What has its late answer asked, once one has begun: the same for all of them, so that none
  /// asks for memory that another thread lets go of.
  var waker: Waker?
  /// Whether it is in the queue of those who wait for a turn.
  var isQueued = false
  /// The turn in which it was served last.
  var lastTurn = 0
  /// Where the coded stream stands that it sends, if it sends one.
  var gzipStream: GzipStream?
  /// What codes its answer elsewhere, if something does.
  var codingJob: CodingJob?
  /// The time of this connection's valid entry in the timer queue.
  var scheduled: Int?

  init(
    descriptor: consuming FileDescriptor,
    generation: UInt32,
    remote: String,
    isReadInPieces: Bool,
    state: ConnectionState
  ) {
    token = EventToken(generation: generation, descriptor: descriptor.number)
    self.remote = remote
    self.isReadInPieces = isReadInPieces
    self.descriptor = descriptor
    self.state = state
  }
}
