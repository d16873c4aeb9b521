import TreeDomain
import TreeEngine

extension TreeDescription {
  /// The encoded description.
  var about: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Decodes the description of a tree that is not in memory.
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
