package import TreeDomain

// Reading a session; see ``TreeService``.
extension ClusterService {
  /// Reads a page of visible rows.
  package func rows(of id: SessionID, _ query: RowQuery) throws(ServiceError) -> RowPage {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.rows(of: id, query)
    }
  }

  /// Reads the row at an index.
  package func row(
    at index: Int,
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.row(at: index, of: id, options)
    }
  }

  /// Reads a node, visible or not.
  package func node(
    _ key: [UInt8],
    of id: SessionID,
    _ options: ReadOptions
  ) throws(ServiceError) -> NodeView {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.node(key, of: id, options)
    }
  }

  /// Reads nodes by their keys, visible or not.
  package func nodes(_ query: NodesQuery, of id: SessionID) throws(ServiceError) -> NodeList {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.nodes(query, of: id)
    }
  }

  /// Reads a range of a node's children, expanded or not, or of the roots.
  package func children(
    _ query: ChildrenQuery,
    of id: SessionID
  ) throws(ServiceError) -> ChildRange {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.children(query, of: id)
    }
  }

  /// Reads the ancestors of a node, from the root to its parent.
  package func ancestors(
    of key: [UInt8],
    of id: SessionID,
    fields: RowFields?,
    expectedRevision: Revision?
  ) throws(ServiceError) -> Ancestors {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.ancestors(of: key, of: id, fields: fields, expectedRevision: expectedRevision)
    }
  }

  /// Reads the sections of a session's tree.
  package func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.sections(of: id, expectedRevision: expectedRevision)
    }
  }

  /// Searches nodes, visible or not.
  package func search(in id: SessionID, _ query: SearchQuery) throws(ServiceError) -> SearchResult {
    try read(core.slot(of: id)) { service throws(ServiceError) in
      try service.search(in: id, query)
    }
  }
}
