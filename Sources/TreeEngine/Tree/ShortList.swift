/// A list that mostly has no element or one, and then needs no allocation.
@frozen
public struct ShortList<Element: Sendable>: Sendable {
  /// The element of a list of one.
  @usableFromInline var one: Element?
  /// The elements of a longer list.
  @usableFromInline var many: [Element]

  /// Creates an empty list.
  @inlinable
  public init() {
    one = nil
    many = []
  }

  /// Creates a list of one element.
  @inlinable
  public init(_ element: Element) {
    one = element
    many = []
  }

  /// Appends an element.
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
  /// The index of the first element.
  @inlinable public var startIndex: Int { 0 }
  /// The index after the last element, which is the number of elements.
  @inlinable public var endIndex: Int { one == nil ? many.count : 1 }

  /// The element at an index.
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
  /// Creates a list of elements.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }

  /// Creates a list of the elements of an array.
  @inlinable
  public init(_ elements: [Element]) {
    self.init()
    if elements.count == 1 { one = elements[0] } else { many = elements }
  }
}

extension ShortList: Equatable where Element: Equatable {}
