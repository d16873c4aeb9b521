import Coding
import HTTP

/// A connection of an event loop: the socket, its known readiness, and the HTTP state.
final class Connection {
  let descriptor: FileDescriptor
  let token: EventToken
  /// The address of the peer, or `unix`; empty if there is no log.
  let remote: String
  /// The HTTP state, without I/O.
  var state: ConnectionState
  /// False after a read found nothing more, until the next event.
  ///
  /// It starts as true, because a request may have arrived with the connection.
  var isReadable = true
  /// True if a short read does not mean that all is read.
  ///
  /// It is true after urgent data, and for a Unix socket, where a read stops at a passed descriptor
  /// (unix(7)).
  var isReadInPieces: Bool
  /// True if the end of the stream has arrived, for which no further event comes.
  var isEnding = false
  /// False after the socket was full, until the next event.
  var isWritable = true
  /// The address for which the connection is counted; nil if it is not counted.
  var network: PeerAddress?
  /// True if its last request had credentials and refused credentials are counted.
  var showsCredentials = false
  /// True if valid credentials were used on it before its address was blocked, and none were
  /// refused on it since then.
  var isTrusted = false
  /// True if it only gets an error response and is not served.
  var isTurnedAway = false
  /// The number of bytes counted as held by it.
  var countedBytes = 0
  /// The part of `countedBytes` that belongs to responses.
  var countedAnswerBytes = 0
  /// True if it is counted as having a request in progress.
  var isInFlight = false
  /// True if it is counted as having a response that is due within microseconds.
  var isAnswerNear = false
  /// True if its deferred answer must be asked, or an encoding result fetched.
  var isWoken = false
  /// Wakes its deferred answer, once there was one.
  ///
  /// All deferred answers of a connection share it, which avoids allocations that another thread
  /// frees.
  var waker: Waker?
  /// True if it is in the event loop's queue.
  var isQueued = false
  /// The number of the loop iteration in which it was last served.
  var lastTurn = 0
  /// The state of the encoded stream that it sends, if any.
  var gzipStream: GzipStream?
  /// The encoding of its response by another thread, if any.
  var codingJob: CodingJob?
  /// The time of its valid entry in the timer queue, in milliseconds of ``Moment``.
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
