import { tooLarge, undecodable } from './decode-errors.ts';
import type { OtlpEncoding } from './media-types.ts';
import { MAX_INFLATED_BYTES } from './otlp-limits.ts';

/** Compressed bytes per step: gzip expands them up to 1,032 times before the output can be counted. */
const STEP_BYTES = 8 * 1024;

/** The shortest member: a header of 10 bytes, an empty block of 2, a trailer of 8. */
const MIN_MEMBER_BYTES = 20;
/** Bytes that look like the beginning of a member stand by chance once in 16 MiB. Each of them costs a try. */
const MAX_WRONG_STARTS = 8;
/** Members of a body. `bgzip` makes one of each 64 KiB. */
const MAX_MEMBERS = 512;

/**
 * Reads a body of at most `MAX_WIRE_BYTES` and inflates it to at most `maxBytes`; inflating stops at most 8 MiB beyond the limit.
 * Throws `PAYLOAD_TOO_LARGE`, and `VALIDATION_ERROR` for a body that isn't gzip or is incomplete.
 */
export async function inflate(
  body: Uint8Array<ArrayBuffer>,
  encoding: OtlpEncoding,
  maxBytes: number = MAX_INFLATED_BYTES,
): Promise<Uint8Array> {
  if (encoding === 'gzip') return (await inflateStream(body, maxBytes)) ?? inflateMembers(body, maxBytes);
  if (body.byteLength > maxBytes) throw tooLarge(`A request may have at most ${maxBytes} bytes.`);
  return body;
}

/** What gzip inflates to; undefined if it isn't gzip, or not all of it, or if the runtime takes one member only and more follow. */
async function inflateStream(
  body: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const reader = inSteps(body).pipeThrough(new DecompressionStream('gzip')).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const read = await reader.read().catch(() => undefined);
    if (read === undefined) return undefined;
    if (read.done) return join(chunks, length);
    length += read.value.byteLength;
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge(`A request may have at most ${maxBytes} bytes when it is inflated.`);
    }
    chunks.push(read.value);
  }
}

/**
 * A gzip file may have several members, one after another (RFC 1952 section 2.2), of which workerd's `DecompressionStream` takes only
 * the first. Where a member ends is not written anywhere: each position that looks like the beginning of the next one is tried.
 */
async function inflateMembers(body: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array> {
  const members: Uint8Array[] = [];
  let length = 0;
  let wrongStarts = 0;
  for (let from = 0; from < body.length && members.length < MAX_MEMBERS; ) {
    let to = from;
    let member: Uint8Array | undefined;
    while (member === undefined && to < body.length && wrongStarts < MAX_WRONG_STARTS) {
      to = nextMember(body, to + MIN_MEMBER_BYTES);
      member = await inflateStream(body.subarray(from, to), maxBytes - length);
      if (member === undefined) wrongStarts += 1;
    }
    if (member === undefined) break;
    members.push(member);
    length += member.byteLength;
    from = to;
    if (from === body.length) return join(members, length);
  }
  throw undecodable(`must be gzip, all of it and of at most ${MAX_MEMBERS} members`);
}

/** The first position from `from` on where a member may begin; otherwise the end. */
function nextMember(body: Uint8Array, from: number): number {
  for (let at = body.indexOf(0x1f, from); at >= 0; at = body.indexOf(0x1f, at + 1)) {
    const isMember = body[at + 1] === 0x8b && body[at + 2] === 8 && ((body[at + 3] as number) & 0xe0) === 0;
    if (isMember) return at;
  }
  return body.length;
}

function inSteps(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.byteLength) return controller.close();
      controller.enqueue(body.subarray(at, at + STEP_BYTES));
      at += STEP_BYTES;
    },
  });
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
