import JSON
import TreeDomain

// What is stored of a shared tree for those who only want to know what there is.
extension TreeManager {
  /// Its sections and its order, where the last transaction changed it.
  var newAbout: [UInt8]? {
    guard !isPrivate, sections != before.sections || sort != before.sort else { return nil }
    return description().about
  }
}

extension TreeDescription {
  /// Its sections and its order, as JSON.
  var about: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("sections")
    writer.beginArray()
    for name in sections { writer.string(arena[name.range]) }
    writer.endArray()
    writer.name("sort")
    sort.write(to: &writer)
    writer.endObject()
    return writer.finish()
  }

  /// What there is to say of a tree that is not in memory.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  init(_ stored: StoredTree) throws(StorageError) {
    do throws(ServiceError) {
      let about = try NewTree.decode(body: stored.about)
      self.init(
        tree: stored.id,
        revision: Revision(UInt64(stored.revision)),
        nodeCount: stored.nodeCount,
        sections: about.sections,
        sort: about.sort,
        arena: about.bytes
      )
    } catch {
      throw .damaged("tree \(stored.number.value): its description cannot be read")
    }
  }
}
