import { Failure, type Reply, Status, textOf } from './redis-reply.ts';

type Json = string | number | null | Json[];

/** How strings are written: as they are, or in Base64, which `Upstash-Encoding: base64` asks for. */
export type Encoding = 'text' | 'base64';

/** A reply as the REST protocol has it: `{result}`, or `{error}`. */
export function responseBody(reply: Reply, encoding: Encoding): { result: Json } | { error: string } {
  if (reply instanceof Failure) return { error: textOf(reply.message) };
  // A bare OK stays readable in Base64 too; clients know it.
  if (reply instanceof Status && reply.text === 'OK') return { result: 'OK' };
  return { result: toJson(reply, encoding) };
}

function toJson(reply: Reply, encoding: Encoding): Json {
  if (reply === null || typeof reply === 'number') return reply;
  if (Array.isArray(reply)) return reply.map((item) => toJson(item, encoding));
  if (reply instanceof Failure) return encode(reply.message, encoding);
  return encode(reply instanceof Status ? reply.text : reply, encoding);
}

const encode = (bytes: string, encoding: Encoding): string =>
  encoding === 'text' ? textOf(bytes) : Buffer.from(bytes, 'latin1').toString('base64');
