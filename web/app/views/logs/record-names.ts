import type { LogRecord } from '../../api/operations.generated.ts';

/** How the address names each record: by its time, and by its index among those of the same time. */
export function recordNames(records: readonly Pick<LogRecord, 'timeNano'>[]): string[] {
  const seen = new Map<string, number>();
  return records.map(({ timeNano }) => {
    const before = seen.get(timeNano) ?? 0;
    seen.set(timeNano, before + 1);
    return before === 0 ? timeNano : `${timeNano}@${before}`;
  });
}

export function findRecord(names: readonly string[], name: string | undefined): number | undefined {
  const index = name === undefined ? -1 : names.indexOf(name);
  return index < 0 ? undefined : index;
}
