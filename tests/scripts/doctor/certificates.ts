/** Certificates until October 2126, made by `openssl req -x509` and signed by themselves with one key. The key is made from a sentence. */
import { createECDH, createHash, createPrivateKey } from 'node:crypto';

const secret = createHash('sha256').update('This key protects nothing.').digest();
const pair = createECDH('prime256v1');
pair.setPrivateKey(secret);
const point = pair.getPublicKey();

/** PEM. */
export const KEY = createPrivateKey({
  format: 'jwk',
  key: {
    ...{ kty: 'EC', crv: 'P-256', d: secret.toString('base64url') },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  },
}).export({ type: 'pkcs8', format: 'pem' });

export const OF_LOCALHOST = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUC+hsINi1Rn0GkQbwlsGlbto+DdUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzE4MjIwM1oYDzIxMjYxMDMw
MTgyMjAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARXVJOnfiPQZcmyisIekrU0FN9DwhS2U+UmO9rClz30OWV1vGsNCJsu
8TdkKuFOfw0tGuArcESD0q26UtTc8MIso2kwZzAdBgNVHQ4EFgQU+pUd+17fkRtl
IERFEun0B+GJHoMwHwYDVR0jBBgwFoAU+pUd+17fkRtlIERFEun0B+GJHoMwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgTD5YURH6iSggL+tbHBkpeE4fmtdZULqYP1PSioxWLwUCIQD0/kyFcE2O
yZkWCMHmbFxqesu5U72o2oQYpywbKRtt1g==
-----END CERTIFICATE-----
`;

/** Of other.example. */
export const OF_ANOTHER = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUegAwIBAgIUJTYxaR2UiNecx7Lfq55LUDF3fOgwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjMxODIyMDNaGA8yMTI2
MTAzMDE4MjIwM1owGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABFdUk6d+I9BlybKKwh6StTQU30PCFLZT5SY72sKXPfQ5
ZXW8aw0Imy7xN2Qq4U5/DS0a4CtwRIPSrbpS1NzwwiyjbTBrMB0GA1UdDgQWBBT6
lR37Xt+RG2UgREUS6fQH4YkegzAfBgNVHSMEGDAWgBT6lR37Xt+RG2UgREUS6fQH
4YkegzAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUw
CgYIKoZIzj0EAwIDRwAwRAIgEcKAgwJXNbopgImtTtEEachT3jNUi670duWPIoSA
ddcCIGLJ1le03hcNdzOhGr800pPRaCMhtoqkQbhWl0CpxEun
-----END CERTIFICATE-----
`;
