/// Settings of a ``TreeView``.
public struct ViewOptions: Sendable {
  /// The number of rows that are read together, 1 to 1000.
  public var pageSize: Int
  /// The number of pages that are read before and after the shown rows.
  public var overscan: Int
  /// The maximum number of held rows.
  public var maxRows: Int
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

  /// Creates settings.
  ///
  /// Numbers outside their ranges are clamped.
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
    self.pageSize = min(max(1, pageSize), 1000)
    self.overscan = max(0, overscan)
    self.maxRows = max(1, maxRows)
    self.fields = fields
    self.interval = interval
    self.heartbeat = heartbeat
  }
}
