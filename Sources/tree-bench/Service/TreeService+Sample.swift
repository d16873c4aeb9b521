import TreeDomain

// Requests of benchmarks, which must succeed.
extension TreeService {
  /// Creates a session with its own tree.
  func makeSession(
    _ shape: Shape,
    count: Int,
    options: SessionOptions = SessionOptions()
  ) -> SessionID {
    let list = NodeList(shape, count: count)
    return makeSession(NewSession(bytes: list.bytes, options: options, nodes: list.nodes))
  }

  /// Creates a session over a shared tree.
  func makeSession(over tree: TreeID, options: SessionOptions = SessionOptions()) -> SessionID {
    makeSession(NewSession(tree: tree, options: options))
  }

  private func makeSession(_ session: NewSession) -> SessionID {
    do {
      return try createSession(session, nil).description.session
    } catch {
      preconditionFailure("a benchmark's session was refused: \(error)")
    }
  }

  /// Creates a shared tree.
  func makeTree(_ shape: Shape, count: Int) -> TreeID {
    let list = NodeList(shape, count: count)
    var tree = NewTree()
    tree.bytes = list.bytes
    tree.nodes = list.nodes
    do {
      return try createTree(tree, nil).description.tree
    } catch {
      preconditionFailure("a benchmark's tree was refused: \(error)")
    }
  }

  /// Returns a hundred rows of a session, which must exist.
  func page(
    of session: SessionID,
    _ fields: RowFields,
    from offset: Int
  ) -> RowPage {
    do {
      return try rows(of: session, RowQuery(.offset(offset, limit: 100), fields: fields))
    } catch {
      preconditionFailure("a benchmark's page was refused: \(error)")
    }
  }

  /// Inserts the nodes of an import; returns the number of the tree's nodes.
  func insert(_ nodes: Import, into tree: TreeID) -> UInt64 {
    do throws(ServiceError) {
      return UInt64(try importNodes(nodes, into: tree, BatchOptions()).nodeCount)
    } catch {
      preconditionFailure("a benchmark's import was refused: \(error)")
    }
  }

  /// Deletes a shared tree.
  func delete(_ tree: TreeID) {
    do throws(ServiceError) {
      _ = try deleteTree(tree, nil, nil)
    } catch {
      preconditionFailure("a benchmark's tree was gone: \(error)")
    }
  }
}
