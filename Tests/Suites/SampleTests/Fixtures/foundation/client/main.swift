// A program that uses the library and Foundation, without aliases.
import AliasLibrary
import Foundation

let own: Timer? = nil
let given = makeTimer {}
print(own == nil && given.isValid)
