import TreeDomain
import TreeEngine

// What is stored of a shared tree for those who only want to know what there is.
extension TreeManager {
  /// Its description, where the last transaction changed more of it than its numbers.
  var newAbout: [UInt8]? {
    guard !isPrivate, sections != before.sections || sort != before.sort else { return nil }
    return description().about
  }
}

extension TreeDescription {
  /// The description as storage has it.
  var about: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// What there is to say of a tree that is not in memory.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  init(_ stored: StoredTree) throws(StorageError) {
    do throws(ImageError) {
      var reader = ByteReader(stored.about[...])
      try self.init(reading: &reader)
    } catch {
      throw .damaged("the description of tree number \(stored.number.value) cannot be read")
    }
    revision = Revision(UInt64(stored.revision))
    nodeCount = stored.nodeCount
  }
}
