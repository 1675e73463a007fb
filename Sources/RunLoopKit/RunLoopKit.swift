/// Run loops as objects, for code that knows Foundation's `RunLoop`.
///
/// The object wrapper (`RLRunLoop`, `RLTimer`, `RLPort`) is the layer above `CoreRunLoop` and is not
/// here yet. Until it is, this module hands on `CoreRunLoop`, so that what is built against it keeps
/// building.
@_exported public import CoreRunLoop
