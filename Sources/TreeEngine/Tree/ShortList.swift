/// Elements in order, of which there is mostly none or one: those take no memory of their own.
@frozen
public struct ShortList<Element: Sendable>: Sendable {
  /// The one element, where there is just one.
  @usableFromInline var one: Element?
  /// All of them, where there are more.
  @usableFromInline var many: [Element]

  /// An empty list.
  @inlinable
  public init() {
    one = nil
    many = []
  }

  /// A list of one.
  @inlinable
  public init(_ element: Element) {
    one = element
    many = []
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  public mutating func append(_ element: Element) {
    if let first = one {
      one = nil
      many.append(first)
    } else if many.isEmpty {
      one = element
      return
    }
    many.append(element)
  }

  /// Sorts the elements.
  ///
  /// - Complexity: O(*n* log *n*).
  mutating func sort(by isBefore: (Element, Element) -> Bool) { many.sort(by: isBefore) }
}

extension ShortList: RandomAccessCollection, MutableCollection {
  /// The place of the first element.
  @inlinable public var startIndex: Int { 0 }
  /// The place behind the last element: how many there are.
  @inlinable public var endIndex: Int { one == nil ? many.count : 1 }

  /// The element with so many before it.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(index: Int) -> Element {
    get {
      guard let one else { return many[index] }
      precondition(index == 0, "no such element")
      return one
    }
    set {
      guard one != nil else { return many[index] = newValue }
      precondition(index == 0, "no such element")
      one = newValue
    }
  }
}

extension ShortList: ExpressibleByArrayLiteral {
  /// A list of elements.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }

  /// A list of the elements of an array.
  @inlinable
  public init(_ elements: [Element]) {
    self.init()
    if elements.count == 1 { one = elements[0] } else { many = elements }
  }
}

extension ShortList: Equatable where Element: Equatable {}
