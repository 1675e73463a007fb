let keepingProbe = "kit-probe"
