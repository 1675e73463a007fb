/// Certificates in PEM, each with its key, which is no secret.
///
/// Made by make_certificates.sh.
public enum Certificates {
    /// The certificate `authority`.
    public static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBdjCCARugAwIBAgIBATAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZBdXRob3Jp
        dHkgb2Ygc2NlbmFyaW9zMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
        WjAhMR8wHQYDVQQDDBZBdXRob3JpdHkgb2Ygc2NlbmFyaW9zMFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAE6khBpWaHOmmlK2w9p1/bt0NSQ0TINvsrN61hZYS7BsLB
        q0+ZlgCiNcMpH4IHgsdSRsW4OU7pWFknnR33q0FehqNCMEAwDwYDVR0TAQH/BAUw
        AwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFPZC8klihuC0/PO/jfQZz847
        GAbtMAoGCCqGSM49BAMCA0kAMEYCIQDysdCurSH8pmjrA7rYlYv/r21OWzVY9WCt
        gs49b0FSIgIhAOC14D9j6cPaV7YEqu5Z+2lcZ1aX0YYmjI4SQUeWotWk
        -----END CERTIFICATE-----
        """

    /// The certificate `server`.
    public static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBgTCCASegAwIBAgIBAzAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZBdXRob3Jp
        dHkgb2Ygc2NlbmFyaW9zMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
        WjARMQ8wDQYDVQQDDAZzZXJ2ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATh
        xU5Sz+TscUIBWqLuGh67rKcSyjkGYUvnYfy+uoNgf9ONPm3zXH7z3gNv0QSYWgtT
        IN7sfn6LnTmNi6QZj2Djo14wXDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEw
        HwYDVR0jBBgwFoAU9kLySWKG4LT887+N9BnPzjsYBu0wHQYDVR0OBBYEFPClmYEl
        o34aQg6Xy6mIBVrNRysrMAoGCCqGSM49BAMCA0gAMEUCIDpwD1AUSsuv9DzwFkMd
        BO1SLEmaLz+5OZFchtETuOeCAiEAjpipr6Dye7xDeB3mRyl/P5S6Vx9XNKHQhezw
        aFyZLOg=
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgo32PcP4crmMs3feZ
        iJ25uYTqaPNdQEF5VPQiSOfcs3ihRANCAAThxU5Sz+TscUIBWqLuGh67rKcSyjkG
        YUvnYfy+uoNgf9ONPm3zXH7z3gNv0QSYWgtTIN7sfn6LnTmNi6QZj2Dj
        -----END PRIVATE KEY-----
        """

    /// The certificate `elsewhere`.
    public static let elsewhere = """
        -----BEGIN CERTIFICATE-----
        MIIBhjCCASygAwIBAgIBBDAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZBdXRob3Jp
        dHkgb2Ygc2NlbmFyaW9zMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
        WjAUMRIwEAYDVQQDDAllbHNld2hlcmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AAS1zM340AwqdFKTNiLiPwgzF9T0oqUIQe3nq77pP/oWqhbrzxtcMFDKh3wcsjNL
        e8xOLG1zGbfA7287EKeX6Z8uo2AwXjAcBgNVHREEFTATghFlbHNld2hlcmUuZXhh
        bXBsZTAfBgNVHSMEGDAWgBT2QvJJYobgtPzzv430Gc/OOxgG7TAdBgNVHQ4EFgQU
        WEiE8TwI7Ua9mhbDPGom053GegUwCgYIKoZIzj0EAwIDSAAwRQIgKiUyvXNDwbw4
        j8IHCvtfrmwc22K9zhQPVEQ9Fhnd0fYCIQDWatTm4HQo8JjIfC3DlhZznq/z8F1t
        p1VyExtygK9bxA==
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVayA/DlqoTxseK1a
        7kIxoDbar2kL9R+U57xHagX6nP6hRANCAAS1zM340AwqdFKTNiLiPwgzF9T0oqUI
        Qe3nq77pP/oWqhbrzxtcMFDKh3wcsjNLe8xOLG1zGbfA7287EKeX6Z8u
        -----END PRIVATE KEY-----
        """
}
