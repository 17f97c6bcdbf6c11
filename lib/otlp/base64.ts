/** As many arguments as every runtime takes. */
const STEP = 4096;

/** RFC 4648 section 4, with padding: as protobuf's JSON mapping writes bytes. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += STEP) {
    binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
  }
  return btoa(binary);
}
