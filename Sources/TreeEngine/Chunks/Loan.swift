/// Held by all copies of arrays in chunks, so that one look tells whether there is more than one.
final class Loan: Sendable {}
