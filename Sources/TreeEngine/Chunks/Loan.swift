/// An object that is copied together with several chunked arrays.
///
/// If it has a single holder, none of these arrays has a copy. This check replaces one per array.
final class Loan: Sendable {}
