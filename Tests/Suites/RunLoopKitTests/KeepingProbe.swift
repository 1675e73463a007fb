/// The program whose calls `GiverTests` and `HostileValueTests` run.
let keepingProbe = "kit-probe"
