import JSON
import TreeDomain
import TreeEngine

/// Batches are decoded if and only if they are valid JSON of the right form.
///
/// The fast path gives the same result as the general decoder, including the details of a refusal.
enum BatchLaw {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let depth = limits.maxBodyDepth
    let checked = Result { () throws(JSONError) in
      try JSONReader.validate(input, maxDepth: depth)
    }
    let decoded = Result { () throws(ServiceError) in
      try Batch.decode(body: input, limits: limits)
    }
    let careful = Result { () throws(ServiceError) in
      var limits = limits
      limits.readsQuickly = false
      return try Batch.decode(body: input, limits: limits)
    }
    try FuzzFinding.expect(decoded == careful, "\(decoded), and read carefully \(careful)")
    switch (decoded, checked) {
    case (.success(let batch), .success): try checkSlices(of: batch, input)
    case (.success, .failure(let fault)): throw FuzzFinding("decoded, and not JSON: \(fault)")
    case (.failure(let error), .success):
      // The body may be deeper than an object in it.
      let isOfDepth = error.limit == limits.maxJSONDepth
      try FuzzFinding.expect(error.code != .malformedJSON || isOfDepth, "\(error) of what is JSON")
    case (.failure(let error), .failure(let fault)):
      let isSame = error.code != .malformedJSON || error.byteOffset == fault.offset
      try FuzzFinding.expect(isSame, "\(error), not \(fault)")
    }
  }

  /// Checks that the batch points into the body, and that decoding again gives the same batch.
  private static func checkSlices(of batch: Batch, _ input: [UInt8]) throws(FuzzFinding) {
    try FuzzFinding.expect(batch.bytes.starts(with: input), "the body is not kept")
    try FuzzFinding.expect(batch.operations.count <= limits.maxOperations, "too many operations")
    for node in batch.nodes {
      let key = batch[node.key]
      try FuzzFinding.expect(key.count <= limits.maxKeyBytes, "a key of \(key.count) bytes")
    }
    let again = try? Batch.decode(body: input, limits: limits)
    try FuzzFinding.expect(again == batch, "decoded again, the batch differs")
  }

  /// Limits that short inputs reach.
  private static var limits: DecodingLimits {
    var limits = DecodingLimits()
    limits.maxJSONDepth = 16
    limits.maxOperations = 8
    limits.maxNodes = 16
    limits.maxKeyBytes = 32
    limits.maxObjectBytes = 64
    limits.maxSortDescriptors = 3
    return limits
  }

  static let corpus: [[UInt8]] = [
    #"{"op":"insert","key":"a","parent":null,"object":{"n":1},"sort":[{"by":"/n"}]}"#,
    #"{"op":"insert","key":"b","after":"a","children":[{"key":"c","children":"unloaded"}]}"#,
    #"{"op":"setChildren","key":"a","children":[{"key":"\u00e9"},{"key":"b","object":[]}]}"#,
    #"{"op":"move","key":"b","parent":"a","index":0},{"op":"remove","key":"c"}"#,
    #"{"op":"move","keys":["a","b"],"parent":null,"first":true}"#,
    #"{"op":"update","key":"a","object":null},{"op":"update","key":"a","merge":{"x":null}}"#,
    #"{"op":"expand","key":"a","levels":"all"},{"op":"collapseAll"},{"op":"toggle","key":"a"}"#,
    #"{"op":"select","subtree":"a"},{"op":"reveal","keys":["a"],"select":true}"#,
    #"{"op":"insertSection","section":"A","index":0}"#,
    #"{"op":"renameSection","section":"A","to":"B"},{"op":"collapseSection","section":"B"}"#,
    #"{"op":"sort","key":null,"by":[{"by":"/n","order":"descending","compare":"natural"}]}"#,
    #"{"op":"none"}"#, #"{"key":"a","op":"collapse"},{"op":"deselect","keys":["a","b","a"]}"#,
    #"{"op":"insert","key":"é","childCount":12,"children":"unloaded","section":"S","first":true}"#,
    #"{"op":"setChildren","children":[{"key":"b","childCount":3,"children":"unloaded"}]}"#,
    #"{"op":"insert","key":"a","parent":"b","object":{},"before":"c"},{"op":"deselect","key":"a"}"#,
    #"{"op":"insert","key":"a","parent":null,"after":"b","object":"é"},{"op":"remove","key":"a"}"#,
    #"{"op":"setChildren","key":"a","children":[{"key":"b"},{"key":"c","object":1}]}"#,
    #"{"op":"setChildren","key":null,"children":[{"key":"b"},{"children":[{}],"key":"c"}]}"#,
  ].map { Array("{\"operations\":[\($0)]}".utf8) }
}
