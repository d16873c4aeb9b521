/// The texts that explain each code of a problem.
enum ProblemGuide {
  /// The explanation of one code, as plain text with code in backticks.
  struct Entry: Sendable {
    /// The code.
    let code: String
    /// The meaning of the code, in a sentence.
    let meaning: String
    /// The usual cause.
    let cause: String
    /// The advice to the client.
    let action: String

    init(_ code: String, _ meaning: String, _ cause: String, _ action: String) {
      self.code = code
      self.meaning = meaning
      self.cause = cause
      self.action = action
    }
  }

  /// The explanations of the service's codes, followed by those of HTTP.
  static let entries = service + http
  private static let service = [
    Entry(
      "malformed-json",
      "The body is not JSON, or it is nested too deep.",
      "A bracket, quote or comma is missing, or the content was cut.",
      "Fix the JSON at `byteOffset` and send it again."
    ),
    Entry(
      "invalid-request",
      "The request has a part that the service does not accept.",
      "A member, parameter or field is unknown or missing, or its value has the wrong form.",
      "Read `detail`; `pointer` names the place in the body. Correct it and send it again."
    ),
    Entry(
      "unknown-operation",
      "A batch has an operation that does not exist.",
      "The value of `op` is misspelled.",
      "Use an operation that the description of the API lists."
    ),
    Entry(
      "session-not-found",
      "No session has this id.",
      "The session was deleted or never existed, or its tree was deleted.",
      "Make a session with POST /v1/sessions and read its state."
    ),
    Entry(
      "tree-not-found",
      "No shared tree has this id.",
      "The tree was deleted or never made, or the id is misspelled.",
      "List the trees with GET /v1/trees, or make one with POST /v1/trees."
    ),
    Entry(
      "node-not-found",
      "The tree has no node with this key.",
      "The node was removed or never inserted, or the path is not percent-encoded.",
      "Read the children again and use a key that exists."
    ),
    Entry(
      "node-not-visible",
      "The node exists but has no row in this session.",
      "An ancestor is collapsed, or the filter hides the node.",
      "Reveal the node, or change the filter, and send it again."
    ),
    Entry(
      "section-not-found",
      "The session has no section with this name.",
      "The section was removed, or its name is misspelled.",
      "List the sections and use a name that exists."
    ),
    Entry(
      "tree-exists",
      "A shared tree has this id already.",
      "Another client made the tree, or an earlier request did.",
      "Use that tree, or choose another id. Send retries with an Idempotency-Key."
    ),
    Entry(
      "duplicate-key",
      "A key, or the name of a section, exists already or comes twice.",
      "A node is inserted with a key that is in use in the tree.",
      "Choose another key, or update the node that exists."
    ),
    Entry(
      "hidden-by-filter",
      "The node cannot be revealed because the filter hides it.",
      "The filter of the session does not match the node.",
      "Change or remove the filter, then reveal the node."
    ),
    Entry(
      "superseded",
      "A newer request sets the same options of the session.",
      "The filter follows each key that a user types, faster than a large tree is filtered.",
      "Nothing. The answer to the newer request tells how the rows changed."
    ),
    Entry(
      "revision-changed",
      "The session or tree is not at the revision that the request names.",
      "Something changed between two reads.",
      "Read again from the start without the old revision."
    ),
    Entry(
      "history-expired",
      "The changes since this revision are not known any more.",
      "The client was away for longer than the service keeps changes.",
      "Read the rows again and follow the changes from their revision."
    ),
    Entry(
      "session-expired",
      "The session ended because nobody used it.",
      "It was idle for longer than its `idleTimeoutSeconds`.",
      "Make a new session. Keep it by reading it or following its changes."
    ),
    Entry(
      "revision-mismatch",
      "A condition on the revision does not hold.",
      "Another change came first, or If-Match names a revision of what has none.",
      "Read the current state, and send the request with the new revision."
    ),
    Entry(
      "range-not-satisfiable",
      "The position is behind the end.",
      "Rows or children went away since the client counted them.",
      "Use an offset of at most the count that the service gives."
    ),
    Entry(
      "cycle",
      "A node cannot be moved below itself.",
      "The new parent is the node or one of its descendants.",
      "Choose a parent outside the subtree of the node."
    ),
    Entry(
      "parent-not-found",
      "The named parent does not exist.",
      "The parent was removed, or comes later in the same request.",
      "Insert the parent first, or name one that exists."
    ),
    Entry(
      "anchor-not-a-sibling",
      "The node that `before` or `after` names has another parent.",
      "The anchor was moved, or the operation names another parent.",
      "Name an anchor that is a child of the same parent."
    ),
    Entry(
      "index-out-of-range",
      "The index is greater than the number of siblings.",
      "Siblings went away since the client counted them.",
      "Use an index from 0 to the number of siblings, or leave it out."
    ),
    Entry(
      "depth-limit",
      "A node would be deeper than the service allows.",
      "The place is too deep, or the inserted subtree is too high.",
      "Use a higher place. `limit` is the greatest depth."
    ),
    Entry(
      "selection-mode",
      "The selection mode of the session does not allow this.",
      "More nodes are selected than `single` allows, or the mode is `none`.",
      "Select what the mode allows, or change `selection` of the session."
    ),
    Entry(
      "idempotency-key-reused",
      "Another request has used this Idempotency-Key.",
      "Two different requests were sent with one key.",
      "Repeat the same value and query in a retry. Use a new key for each new request."
    ),
    Entry(
      "content-too-large",
      "The content, or what it describes, exceeds a limit.",
      "The body has too many bytes, nodes or operations.",
      "Split the request. `limit` tells how much is allowed."
    ),
    Entry(
      "overloaded",
      "The service has no room for the request at the moment.",
      "Too many requests, sessions or bytes are held at once, or all memory is used.",
      "Send it again after the time in Retry-After. Delete sessions, trees or nodes that are not "
        + "needed. `limit` tells how much is allowed."
    ),
    Entry(
      "storage-full",
      "The change cannot be kept because storage is full.",
      "The disk has less free space than the service needs.",
      "Remove data, or ask the operator for space; then send it again."
    ),
    Entry(
      "storage-failed",
      "The change cannot be kept because storage fails.",
      "The disk reports errors, or cannot be written.",
      "Send it again after Retry-After. The operator finds the reason in the log."
    ),
    Entry(
      "storage-damaged",
      "Stored data is not as it was written.",
      "The disk or a copy of the data is damaged.",
      "Tell the operator, who restores the data from a backup."
    ),
    Entry(
      "shutting-down",
      "The service is stopping.",
      "The operator stops or replaces the program.",
      "Send new requests to another instance, or wait until it is ready again."
    ),
    Entry(
      "internal-error",
      "The service has a fault.",
      "There is a programming error in the service.",
      "Report it with the X-Request-Id of the answer."
    ),
  ]
}
