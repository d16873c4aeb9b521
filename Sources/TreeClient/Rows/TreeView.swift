import Foundation
public import Observation

/// A window of rows that is kept up to date.
///
/// The held rows are always of one revision.
///
/// It reads the shown rows first and then those around them. It holds at most `maxRows` rows,
/// however large the tree is. It belongs to the main actor, as lists on a screen do, and SwiftUI
/// can observe it. ``TreeSession/view(of:_:)`` creates one.
@MainActor
public final class TreeView<Object: Decodable & Sendable> {
  /// The number of all rows.
  public var rowCount: Int { observed(window.rowCount) }
  /// The number of held rows.
  public var heldCount: Int { window.count }
  /// The revision of the held rows; nil until the first page is read.
  public internal(set) var revision: Int?
  /// A number that grows with each change of the shown rows or the status.
  public var version: Int { observed(changeCount) }
  /// The state of the view.
  public var status: ViewStatus { observed(shownStatus) }
  /// The shown range: that of the last ``setRange(_:)``, shifted by later changes above it.
  public var range: ClosedRange<Int> { shown }
  /// The settings of the view.
  public let options: ViewOptions

  /// The key of the row that stays where it is on the screen when rows come or go above it.
  ///
  /// If nil, this is the first row of the range. At the very top, new rows push the others down.
  public var anchor: String?

  let session: TreeSession
  let fields: [RowField]
  let registrar = ObservationRegistrar()
  /// The held rows.
  var window: TreeRows<Object>
  /// The value of ``range``.
  var shown: ClosedRange<Int>
  /// The value of ``version``.
  var changeCount = 0
  /// The value of ``status``.
  var shownStatus = ViewStatus.loading
  /// The shown rows that subscribers have got last.
  var lastShown: [Row<Object>?] = []
  /// The number of all rows that subscribers have got last.
  var lastRowCount = 0
  /// The state of the stream of changes; nil before it begins.
  var stream: FollowState?
  /// True if the last read failed and is to be repeated.
  var isRetrying = false
  /// The error with which the view ended, if any.
  var failure: (any Error)?
  /// True if changes may have been missed.
  ///
  /// The next page is then read together with them.
  var isBehind = true
  /// True if ``close()`` was called.
  var isClosed = false
  /// The number of pages requested so far.
  var readCount = 0
  /// The number of times that following began.
  var followCount = 0
  /// The value of ``isPaused``.
  var isPausedNow = false
  /// The number of sent changes without an outcome yet.
  var writeCount = 0
  /// The events that are not applied yet.
  var queue: [ChangeEvent<Object>] = []
  /// The wait of the events for the answer to a change; nil if they do not wait.
  var holding: Task<Void, Never>?
  /// The task that reads pages; nil if none is needed.
  var pulling: Task<Void, Never>?
  /// The page that is being read, if any.
  var reading: Reading?
  /// The task that receives events.
  var following: Task<Void, Never>?
  /// The newest revision in an event or an answer to a change.
  var told = -1
  /// The revision from which the events continue; nil without a connection.
  var followedFrom: Int?
  /// The time of the last read.
  var readAt: ContinuousClock.Instant?
  /// The callers that wait until the view is up to date.
  var waiting: [CheckedContinuation<Void, any Error>] = []
  private var subscribers: [Int: @MainActor (TreeViewChange<Object>) -> Void] = [:]
  private var subscriberCount = 0
  private var link: ViewLink.ID?

  /// A page that is being read.
  struct Reading {
    var range: ClosedRange<Int>
    /// The revision of the held rows when the read began.
    var since: Int?
    var task: Task<RowPage<Object>, any Error>
  }

  init(session: TreeSession, _ options: ViewOptions) {
    self.session = session
    self.options = options
    fields = [.key] + options.fields.filter { $0 != .key }
    let derived: Set<RowField> = [.position, .siblingCount, .visibleDescendantCount, .sectionRow]
    window = TreeRows(hasDerivedMembers: !derived.isDisjoint(with: options.fields))
    shown = 0...(min(options.pageSize, options.maxRows) - 1)
  }

  deinit {
    following?.cancel()
    pulling?.cancel()
    holding?.cancel()
    reading?.task.cancel()
    if let link { Task { [session] in await session.remove(link) } }
  }

  /// Begins to read and to follow.
  func start() async {
    let form = ViewLink.Form(pageSize: options.pageSize, fields: fields)
    let link = ViewLink(
      form: form,
      receive: { [weak self] data in
        guard let list = try? JSONCoding.decode(ChangeList<Object>.self, from: data) else { return }
        self?.receive(.changes(list), isAnswer: true)
      },
      wrote: { [weak self] count in self?.wrote(count) }
    )
    self.link = link.id
    await session.add(link)
    if !isClosed { follow() }
  }

  /// Returns the row at an index; nil if it is not read yet, or beyond the last row.
  public func row(at index: Int) -> Row<Object>? { observed(window[index]) }

  /// Returns the index of a held row; nil if it is not held.
  public func index(of key: String) -> Int? { observed(window.index(of: key)) }

  /// Sets the range of rows that the app shows, so that they are read.
  ///
  /// May be called for each scroll event. Subscribers are notified when missing rows arrive, and
  /// not of the new range itself.
  public func setRange(_ range: ClosedRange<Int>) {
    // The bound is far beyond the last row, and sums with it do not overflow.
    let first = min(max(0, range.lowerBound), .max / 2)
    shown = first...min(max(first, range.upperBound), first + options.maxRows - 1)
    let around = options.overscan * options.pageSize
    if let reading,
      reading.range.upperBound < shown.lowerBound - around
        || reading.range.lowerBound > shown.upperBound + around
    {
      reading.task.cancel()
    }
    trim()
    remember()
    pull()
  }

  /// Adds a function that is called after each change of the shown rows or the status, and for each
  /// applied change list.
  ///
  /// - Returns: A function that ends the subscription.
  @discardableResult
  public func subscribe(
    _ callback: @escaping @MainActor (TreeViewChange<Object>) -> Void
  ) -> @MainActor () -> Void {
    subscriberCount += 1
    let number = subscriberCount
    subscribers[number] = callback
    return { [weak self] in self?.subscribers[number] = nil }
  }

  /// Waits until no read or write is running, and all received events are applied.
  ///
  /// - Throws: The error that ended the view.
  public func settled() async throws {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append(continuation)
      settle()
    }
  }

  /// True to close the stream and send no requests, because the rows are not visible.
  ///
  /// Set it while the app is in the background. Afterwards the view catches up with one request. To
  /// end the wait of a view that is offline, set it to true and then to false.
  public var isPaused: Bool {
    get { isPausedNow }
    set {
      isPausedNow = newValue
      if newValue {
        stop()
      } else if following == nil && failure == nil && !isClosed {
        follow()
      }
      updateStatus()
    }
  }

  /// Ends the view.
  ///
  /// The held rows stay readable.
  public func close() {
    isClosed = true
    stop()
    subscribers = [:]
    if let link { Task { [session] in await session.remove(link) } }
    link = nil
    settle()
  }

  /// Notifies subscribers of a change.
  func tell(_ kind: TreeViewChange<Object>.Kind, shift: Int = 0) {
    guard !isClosed else { return }
    registrar.withMutation(of: self, keyPath: \.version) { changeCount += 1 }
    let change = TreeViewChange(kind: kind, shift: shift)
    for callback in subscribers.values { callback(change) }
  }

  /// Returns a value, and registers its readers as observers of ``version``.
  private func observed<Value>(_ value: Value) -> Value {
    registrar.access(self, keyPath: \.version)
    return value
  }
}

extension TreeView: Observable {}

extension TreeSession {
  /// Creates a window of rows that is kept up to date by a connection of its own.
  ///
  /// It ends when it is closed or released.
  ///
  /// - Parameters:
  ///   - type: The type of the objects. The view fails if an object does not have it.
  ///   - options: The settings of the view.
  /// - Returns: The view, which is reading its first page.
  @MainActor
  public func view<Object>(
    of type: Object.Type = JSONValue.self,
    _ options: ViewOptions = ViewOptions()
  ) async -> TreeView<Object> {
    let view = TreeView<Object>(session: self, options)
    await view.start()
    return view
  }
}
