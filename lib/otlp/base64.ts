/** Every runtime accepts this many arguments in a call. */
const STEP = 4096;

/** Base64 with padding (RFC 4648 section 4), as protobuf's JSON mapping writes bytes. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += STEP) {
    binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  }
  return btoa(binary);
}
