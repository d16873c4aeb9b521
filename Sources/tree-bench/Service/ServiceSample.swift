import TreeDomain

/// A service with a tree, and the most frequent requests to it.
struct ServiceSample {
  /// A kind of request, for a client that sends one at a time and for wrk.
  struct Exchange {
    var label: String
    /// The numbers of connections to measure.
    var connections: [Int]
    var path: String
    /// Returns the Lua script that makes wrk's requests of a round; nil if all are the same.
    var script: ((_ round: Int) -> String)?
    /// The path that is requested from nginx for comparison.
    var peerPath: String
    /// Sends one request; returns the checksum of its answer.
    var client: () -> UInt64
  }

  let service = LocalService()
  /// The content of the answer with a page.
  let page: [UInt8]
  let exchanges: [Exchange]

  /// Starts a service with a tree of a size.
  init(size: Int) {
    let session = String(
      decoding: service.store.makeSession(.tenfold, count: size).bytes,
      as: UTF8.self
    )
    let connection = service.connect()
    let health = ServiceRequest.get("/healthz".utf8)
    let rows = "/v1/sessions/\(session)/rows?limit=100&fields=key,depth,object&offset="
    connection.exchange(ServiceRequest.get("\(rows)\(size / 2)".utf8))
    page = Array(connection.body)
    var random = SplitMix(seed: 13)
    var number = size
    // Pages are read of a tree that stays as it is.
    let changing = service.store.makeSession(.tenfold, count: size)
    let batch = "/v1/sessions/\(String(decoding: changing.bytes, as: UTF8.self))/batch"
    func pages(_ label: String, besideFile path: String) -> Exchange {
      Exchange(
        label: label,
        connections: [32],
        path: "",
        script: { _ in Self.pageScript(rows, count: size - 100) },
        peerPath: path
      ) {
        let request = ServiceRequest.get("\(rows)\(random.below(size - 100))".utf8)
        return connection.checksum(of: request, status: 200)
      }
    }
    exchanges = [
      Exchange(label: "healthz", connections: [32, 256], path: "/healthz", peerPath: "/healthz") {
        connection.checksum(of: health, status: 200)
      },
      pages("page, file opened", besideFile: "/page"),
      pages("page, file kept open", besideFile: "/kept/page"),
      Exchange(
        label: "batch",
        connections: [32],
        path: "",
        script: { Self.batchScript(batch, parents: size, firstKey: ($0 + 1) * 100_000_000) },
        peerPath: "/healthz"
      ) {
        number += 1
        let body = Self.insertion(key: "n\(number)", parent: "n\(random.below(size))")
        return connection.checksum(of: ServiceRequest.post(batch.utf8, body), status: 200)
      },
    ]
  }

  private static func insertion(key: String, parent: String) -> [UInt8] {
    let object = #"{"title":"Leaf","size":4096,"kind":"file"}"#
    let operation =
      #"{"op":"insert","key":"\#(key)","parent":"\#(parent)","first":true,"object":\#(object)}"#
    return Array(#"{"operations":[\#(operation)]}"#.utf8)
  }

  private static func pageScript(_ path: String, count: Int) -> String {
    """
    request = function() return wrk.format("GET", "\(path)" .. math.random(0, \(count))) end
    """
  }

  private static func batchScript(_ path: String, parents: Int, firstKey: Int) -> String {
    let body = String(decoding: insertion(key: "n%d", parent: "n%d"), as: UTF8.self)
    return """
      local key = \(firstKey)
      local fields = { ["Content-Type"] = "application/json" }
      request = function()
        key = key + 1
        local body = string.format('\(body)', key, math.random(0, \(parents - 1)))
        return wrk.format("POST", "\(path)", fields, body)
      end
      """
  }
}
