import { parentPort } from 'node:worker_threads';
import { DomainError } from '../../../lib/errors.ts';
import {
  decodeLogs,
  decodeMetrics,
  decodeTraces,
  type OtlpType,
  type Signal,
} from '../../../lib/otlp/index.ts';

export interface WorkerRequest {
  signal: Signal;
  type: OtlpType;
  body: Uint8Array;
}

/** `rows`, `partial` or the error's code, and the CPU time. */
export interface WorkerAnswer {
  outcome: string;
  milliseconds: number;
}

const DECODE = { traces: decodeTraces, logs: decodeLogs, metrics: decodeMetrics };

parentPort?.on('message', ({ signal, type, body }: WorkerRequest) => {
  const started = process.threadCpuUsage();
  const outcome = outcomeOf(() => DECODE[signal](body, type));
  const { user, system } = process.threadCpuUsage(started);
  parentPort?.postMessage({ outcome, milliseconds: (user + system) / 1000 } satisfies WorkerAnswer);
});

function outcomeOf(decode: () => { partial: unknown }): string {
  try {
    return decode().partial === undefined ? 'rows' : 'partial';
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
}
