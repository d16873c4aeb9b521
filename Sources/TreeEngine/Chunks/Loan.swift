/// An object that all copies of chunked arrays share.
///
/// A single check of it tells whether there is more than one copy.
final class Loan: Sendable {}
