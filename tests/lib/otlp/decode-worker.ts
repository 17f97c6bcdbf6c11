import { parentPort, workerData } from 'node:worker_threads';
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

/** `rows`, `partial`, or the code of the error; and the CPU time that it took. */
export interface WorkerAnswer {
  outcome: string;
  milliseconds: number;
}

const { signal, type, body } = workerData as WorkerRequest;
const decode = { traces: decodeTraces, logs: decodeLogs, metrics: decodeMetrics }[signal];
const started = process.threadCpuUsage();
let outcome: string;
try {
  const batch = decode(body, type);
  outcome = batch.partial === undefined ? 'rows' : 'partial';
} catch (error) {
  outcome = error instanceof DomainError ? error.code : String(error);
}
const { user, system } = process.threadCpuUsage(started);
parentPort?.postMessage({ outcome, milliseconds: (user + system) / 1000 } satisfies WorkerAnswer);
