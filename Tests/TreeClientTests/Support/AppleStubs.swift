/// As much of frameworks of Apple as the recipes use, with the same declarations, so that the
/// recipes compile where there are no such frameworks.
enum AppleStubs {
  /// Declarations of UIKit.
  static let uiKit = """
    @_exported import Foundation

    extension IndexPath {
      public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
      public var row: Int { self[1] }
    }

    @MainActor open class UIViewController: NSObject {
      public override init() {}
      public required init?(coder: NSCoder) { nil }
    }

    @MainActor open class UIScrollView: NSObject {}

    @MainActor public final class UILabel: NSObject { public var text: String? }

    @MainActor open class UITableViewCell: NSObject {
      public enum CellStyle { case `default` }
      public init(style: CellStyle, reuseIdentifier: String?) {}
      public var indentationLevel = 0
      public var textLabel: UILabel?
    }

    @MainActor open class UITableView: UIScrollView {
      public enum Style { case plain }
      public enum RowAnimation { case automatic, none }
      public var indexPathsForVisibleRows: [IndexPath]?
      public func reloadData() {}
      public func reconfigureRows(at indexPaths: [IndexPath]) {}
      public func performBatchUpdates(
        _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
      ) {}
      public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
      public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
      public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
      public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    }

    @MainActor open class UITableViewController: UIViewController {
      public init(style: UITableView.Style) { super.init() }
      public required init?(coder: NSCoder) { nil }
      public var tableView: UITableView! = UITableView()
      open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
      open func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
      ) -> UITableViewCell { UITableViewCell(style: .default, reuseIdentifier: nil) }
      open func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    }
    """

  /// Declarations of AppKit.
  static let appKit = """
    @_exported import Foundation

    @MainActor open class NSView: NSObject {}

    @MainActor public final class NSTextField: NSView {
      public convenience init(labelWithString stringValue: String) { self.init() }
    }

    @MainActor public final class NSTableColumn: NSObject {}

    @MainActor public protocol NSOutlineViewDataSource: AnyObject {
      func outlineView(_ outlineView: NSOutlineView, numberOfChildrenOfItem item: Any?) -> Int
      func outlineView(_ outlineView: NSOutlineView, child index: Int, ofItem item: Any?) -> Any
      func outlineView(_ outlineView: NSOutlineView, isItemExpandable item: Any) -> Bool
    }

    @MainActor public protocol NSOutlineViewDelegate: AnyObject {
      func outlineView(
        _ outlineView: NSOutlineView, viewFor tableColumn: NSTableColumn?, item: Any
      ) -> NSView?
      func outlineViewItemDidExpand(_ notification: Notification)
      func outlineViewItemDidCollapse(_ notification: Notification)
    }

    @MainActor open class NSOutlineView: NSView {
      public weak var dataSource: (any NSOutlineViewDataSource)?
      public weak var delegate: (any NSOutlineViewDelegate)?
      public func reloadItem(_ item: Any?, reloadChildren: Bool) {}
    }
    """

  /// Declarations of SwiftUI.
  static let swiftUI = """
    @_exported import Foundation

    @MainActor public protocol View {
      associatedtype Body: View
      @ViewBuilder var body: Body { get }
    }

    extension Never: View { public var body: Never { fatalError() } }

    @resultBuilder public enum ViewBuilder {
      public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    }

    public enum Edge { public enum Set { case leading } }

    extension View {
      public func padding(_ edges: Edge.Set, _ length: CGFloat?) -> some View { self }
      public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    }

    public struct Text: View {
      public init(_ content: String) {}
      public var body: Never { fatalError() }
    }

    public struct List<Data, ID, Content: View>: View {
      public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Content
      ) where Data: RandomAccessCollection, ID: Hashable {}
      public var body: Never { fatalError() }
    }
    """
}
