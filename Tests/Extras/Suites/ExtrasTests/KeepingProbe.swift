/// The program whose calls `GiverTests` and `HostileValueTests` of RunLoopKitTests run here.
let keepingProbe = "extras-probe"
