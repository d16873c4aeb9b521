import Foundation
public import Observation

/// A window of rows that is kept up to date: what it holds is always the rows of one revision.
///
/// It reads what is shown first, then what is around it, and holds at most `maxRows` rows, however
/// large the tree. It belongs to the main actor, as lists on a screen do; SwiftUI observes it.
/// ``TreeSession/view(of:_:)`` makes one.
@MainActor
public final class TreeView<Object: Decodable & Sendable> {
  /// The number of all rows.
  public var rowCount: Int { observed(window.rowCount) }
  /// The number of rows that are held.
  public var heldCount: Int { window.count }
  /// The revision of what is held; nil until the first page is there.
  public internal(set) var revision: Int?
  /// A number that grows with each change of what is shown, or of the status.
  public var version: Int { observed(changeCount) }
  /// The state of the view.
  public var status: ViewStatus { observed(shownStatus) }
  /// The rows that are shown, as ``setRange(_:)`` said, shifted with the rows since.
  public var range: ClosedRange<Int> { shown }
  /// The settings of the view.
  public let options: ViewOptions

  /// The key of the row that stays where it is on the screen when rows come or go above it.
  ///
  /// If nil, that is the first one of the range; but at the very top, new rows push others down.
  public var anchor: String?

  let session: TreeSession
  let fields: [RowField]
  let registrar = ObservationRegistrar()
  var window: TreeRows<Object>
  var shown: ClosedRange<Int>
  var changeCount = 0
  var shownStatus = ViewStatus.loading
  var lastShown: [Row<Object>?] = []
  var lastRowCount = 0
  var stream: FollowState?
  var isRetrying = false
  var failure: (any Error)?
  /// True if the service may have changes that are not known here: rows are read with them.
  var isBehind = true
  var isClosed = false
  /// The number of pages that were asked for.
  var readCount = 0
  /// The number of times that the session began to be followed.
  var followCount = 0
  /// True while nobody looks.
  var isPausedNow = false
  /// The number of changes that are sent and have no outcome.
  var writeCount = 0
  var queue: [ChangeEvent<Object>] = []
  var pulling: Task<Void, Never>?
  var reading: Reading?
  var following: Task<Void, Never>?
  /// The newest revision that the stream or an answer to a change told.
  var told = -1
  /// The revision of what was held when the page that is read was asked for.
  var since: Int?
  /// The time at which rows were read last.
  var readAt: ContinuousClock.Instant?
  var waiting: [CheckedContinuation<Void, any Error>] = []
  private var subscribers: [Int: @MainActor (TreeViewChange<Object>) -> Void] = [:]
  private var subscriberCount = 0
  private var link: ViewLink.ID?

  /// A page that is being read.
  struct Reading {
    var range: ClosedRange<Int>
    var task: Task<RowPage<Object>, any Error>
  }

  init(session: TreeSession, _ options: ViewOptions) {
    self.session = session
    self.options = options
    fields = [.key] + options.fields.filter { $0 != .key }
    let derived: Set<RowField> = [.position, .siblingCount, .visibleDescendantCount, .sectionRow]
    window = TreeRows(hasDerivedMembers: !derived.isDisjoint(with: options.fields))
    shown = 0...(options.pageSize - 1)
  }

  deinit {
    following?.cancel()
    pulling?.cancel()
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
        self?.receive(.changes(list))
      },
      wrote: { [weak self] count in
        self?.writeCount += count
        self?.settle()
      }
    )
    self.link = link.id
    await session.add(link)
    if !isClosed { follow() }
  }

  /// Returns the row at an index; nil while it is read, and beyond the last one.
  public func row(at index: Int) -> Row<Object>? { observed(window[index]) }

  /// Returns the index of a row that is held; nil if it is not.
  public func index(of key: String) -> Int? { observed(window.index(of: key)) }

  /// Says what is shown.
  ///
  /// May be called as often as somebody scrolls. Subscribers are told when rows come that are not
  /// held yet, and not of the range itself.
  public func setRange(_ range: ClosedRange<Int>) {
    // Far beyond the last row, and where sums still are numbers.
    let first = min(max(0, range.lowerBound), .max / 2)
    shown = first...min(max(first, range.upperBound), first + options.maxRows - 1)
    let around = options.overscan * options.pageSize
    if let reading,
      reading.range.upperBound < shown.lowerBound - around
        || reading.range.lowerBound > shown.upperBound + around
    {
      reading.task.cancel()
    }
    remember()
    pull()
  }

  /// Calls back after each change of what is shown, and for each change list that is applied.
  ///
  /// - Returns: A function that ends it.
  @discardableResult
  public func subscribe(
    _ callback: @escaping @MainActor (TreeViewChange<Object>) -> Void
  ) -> @MainActor () -> Void {
    subscriberCount += 1
    let number = subscriberCount
    subscribers[number] = callback
    return { [weak self] in self?.subscribers[number] = nil }
  }

  /// Waits until nothing is under way, and everything that the service told is applied.
  ///
  /// - Throws: The error that ended the view.
  public func settled() async throws {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append(continuation)
      settle()
    }
  }

  /// True while nobody looks: the stream is closed, and nothing is asked for.
  ///
  /// It catches up with one request afterwards. Set it when the app goes to the background.
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
  /// Rows that are held stay readable.
  public func close() {
    isClosed = true
    stop()
    subscribers = [:]
    if let link { Task { [session] in await session.remove(link) } }
    link = nil
    settle()
  }

  /// Tells subscribers of a change.
  func tell(_ kind: TreeViewChange<Object>.Kind, shift: Int = 0) {
    guard !isClosed else { return }
    registrar.withMutation(of: self, keyPath: \.version) { changeCount += 1 }
    let change = TreeViewChange(kind: kind, shift: shift)
    for callback in subscribers.values { callback(change) }
  }

  /// Returns a value that observers read: they look again when the version changes.
  private func observed<Value>(_ value: Value) -> Value {
    registrar.access(self, keyPath: \.version)
    return value
  }
}

extension TreeView: Observable {}

extension TreeSession {
  /// Makes a window of rows that is kept up to date from now on, with a connection of its own.
  ///
  /// It ends when it is closed, or nobody holds it any more.
  ///
  /// - Parameters:
  ///   - type: The type of the objects. A view fails where one does not fit.
  ///   - options: The settings of the view.
  /// - Returns: The view, which has begun to read.
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
