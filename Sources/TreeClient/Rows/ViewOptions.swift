/// Settings of a ``TreeView``.
///
/// Numbers outside their ranges are clamped.
public struct ViewOptions: Sendable {
  /// The number of rows that are read together, 1 to 1000.
  public var pageSize: Int {
    didSet { pageSize = Self.pageSizes.clamp(pageSize) }
  }
  /// The number of pages that are read before and after the shown rows, 0 to 1000.
  public var overscan: Int {
    didSet { overscan = Self.overscans.clamp(overscan) }
  }
  /// The maximum number of held rows, 1 to 1 000 000 000.
  public var maxRows: Int {
    didSet { maxRows = Self.rowCounts.clamp(maxRows) }
  }
  /// The members of the rows.
  ///
  /// By default, these are all members that change lists keep up to date. The others (`position`,
  /// `siblingCount`, `visibleDescendantCount`, `sectionRow`) depend on rows that a window does not
  /// hold. With any of them, the shown rows are read again after each change of structure.
  public var fields: [RowField]
  /// The minimum time between two events.
  ///
  /// Changes by the session's own requests are shown at once.
  public var interval: Duration
  /// The `heartbeatSeconds` of the service.
  public var heartbeat: Duration

  private static let pageSizes = 1...1000
  private static let overscans = 0...1000
  private static let rowCounts = 1...1_000_000_000

  /// Creates settings.
  public init(
    pageSize: Int = 100,
    overscan: Int = 1,
    maxRows: Int = 10_000,
    fields: [RowField] = [
      .parent, .depth, .section, .expanded, .childState, .childCount, .selected, .matched, .object,
    ],
    interval: Duration = .milliseconds(100),
    heartbeat: Duration = .seconds(15)
  ) {
    self.pageSize = Self.pageSizes.clamp(pageSize)
    self.overscan = Self.overscans.clamp(overscan)
    self.maxRows = Self.rowCounts.clamp(maxRows)
    self.fields = fields
    self.interval = interval
    self.heartbeat = heartbeat
  }
}

extension ClosedRange<Int> {
  /// Returns the number in the range that is nearest to a number.
  fileprivate func clamp(_ number: Int) -> Int {
    Swift.min(Swift.max(lowerBound, number), upperBound)
  }
}

/// A change of a ``TreeView``.
public struct TreeViewChange<Object: Decodable & Sendable>: Sendable {
  /// A kind of change.
  public enum Kind: Sendable {
    /// A change list was applied. ``ChangeList/tableUpdates`` are its updates of a table.
    case list(ChangeList<Object>)
    /// Shown rows were read, and must be configured again.
    case rows(ClosedRange<Int>)
    /// All rows were read again, because their indexes are unknown. Reload the table.
    case all
    /// Only the status changed.
    case status
  }

  /// The kind of the change.
  public let kind: Kind
  /// The number of rows by which the range moved.
  ///
  /// Scroll by as many rows, so that the rows stay in their places on the screen.
  public let shift: Int
}

/// A state of a ``TreeView``.
public enum ViewStatus: Sendable, Hashable {
  /// The first page is being read, or the stream is being opened.
  case loading
  /// The session is followed by a stream.
  case live
  /// The session is followed by long polls.
  case polling
  /// The view is paused, and sends no requests.
  case paused
  /// The service does not answer. The view tries again.
  case offline
  /// The session has ended, or a request was refused for good.
  case failed(TreeProblem)
}
