import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';

const READY_FOR_QUERY = 0x5a;
/** Type, four bytes of length, transaction status. */
const READY_FRAME_BYTES = 6;

/**
 * A socket to an embedded PostgreSQL, so that one client (`pg`) works with it and with a real server. The client corks its messages up
 * to Sync, so they arrive here as one write.
 */
export class PgliteStream extends Duplex {
  readonly #database: PGlite;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(message: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#database.execProtocolRaw(message).then((answer) => {
      if (answer.byteLength > 0) this.push(oneReady(answer));
      done();
    }, done);
  }

  override _writev(writes: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this._write(Buffer.concat(writes.map(({ chunk }) => chunk)), 'binary', done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }
}

/** After an error PGlite sends ReadyForQuery twice, and a client would take the second one for the end of its next query. */
function oneReady(answer: Uint8Array): Uint8Array {
  const end = answer.byteLength;
  const doubled =
    end >= 2 * READY_FRAME_BYTES &&
    isReadyFrame(answer, end - READY_FRAME_BYTES) &&
    isReadyFrame(answer, end - 2 * READY_FRAME_BYTES);
  return doubled ? answer.subarray(0, end - READY_FRAME_BYTES) : answer;
}

function isReadyFrame(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === READY_FOR_QUERY &&
    bytes[at + 1] === 0 &&
    bytes[at + 2] === 0 &&
    bytes[at + 3] === 0 &&
    bytes[at + 4] === READY_FRAME_BYTES - 1
  );
}
