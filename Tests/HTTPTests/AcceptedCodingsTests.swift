import Testing

@testable import HTTP

@Suite struct AcceptedCodingsTests {
  private func codings(_ values: [String]) -> AcceptedCodings {
    var codings = AcceptedCodings()
    for value in values { codings.read(Array(value.utf8)[...]) }
    return codings
  }

  @Test(
    arguments: [
      ([], false, true), ([""], false, true), (["gzip"], true, true), (["GZip"], true, true),
      (["x-gzip"], true, true), (["gzip, deflate, br, zstd"], true, true), (["br"], false, true),
      (["gzip;q=0"], false, true), (["gzip;q=0.0"], false, true), (["gzip;q=0.001"], true, true),
      (["gzip ; q=0.5 "], true, true), (["gzip;Q=1"], true, true), (["gzip;q=1.000"], true, true),
      (["*"], true, true), (["*;q=0"], false, false), (["gzip, *;q=0"], true, false),
      (["gzip;q=0, *"], false, true), (["*;q=0, identity"], false, true),
      (["identity;q=0"], false, false), (["identity;q=0, gzip"], true, false),
      (["identity, gzip"], true, true), (["identity, gzip;q=0.9"], false, true),
      (["identity;q=0.5, gzip;q=0.5"], true, true), (["*;q=0.5, gzip;q=0.4"], false, true),
      (["br", "gzip"], true, true), (["gzip;q=0", "gzip"], true, true), (["gzip;q"], false, true),
      (["gzip;q=2"], false, true), (["gzip;q=-1"], false, true), (["gzip;q=a"], false, true),
      (["gzip;level=1"], false, true), (["gzip;q=1;q=1"], false, true),
      (["gzip deflate"], false, true),
      ([",, ,gzip,"], true, true), (["gzipped"], false, true),
      (["identity;q=0, gzip;q=0"], false, false),
    ] as [([String], Bool, Bool)]
  )
  func `codings are chosen according to RFC 9110`(
    values: [String],
    prefersGzip: Bool,
    allowsIdentity: Bool
  ) {
    let codings = codings(values)
    #expect(codings.prefersGzip == prefersGzip)
    #expect(codings.allowsIdentity == allowsIdentity)
    #expect(CodingPolicy.excludes(codings, nil) == !allowsIdentity)
    #expect(
      CodingPolicy.excludes(codings, CodingPolicy()) == (!allowsIdentity && !codings.allowsGzip)
    )
  }

  @Test(
    arguments: [
      ("0", 0), ("1", 1_000), ("0.5", 500), ("0.25", 250), ("0.1239", 123), ("1.000", 1_000),
      ("0.", 0), (" 0.7\t", 700), ("1.001", nil), ("2", nil), ("", nil), (".5", nil), ("0,5", nil),
      ("0.x", nil), ("+1", nil), ("10", nil),
    ] as [(String, Int?)]
  )
  func `a weight counts three digits after the point`(
    text: String,
    thousandths: Int?
  ) {
    #expect(Weight.thousandths(Array(text.utf8)[...]) == thousandths)
  }
}
