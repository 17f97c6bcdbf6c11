import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReadExport } from '../../../lib/imports/readers/read-export.ts';
import type { Import, ImportRoom } from '../api/operations.generated.ts';
import { queries } from '../api/queries.ts';
import { importTarget } from './import-target.ts';
import type { ChosenExport, ImportProblems, Watch } from './read-files.ts';

/** How far an import is: files are chosen, read, shown for a last look, sent. */
export type ImportStage =
  | { kind: 'choosing' }
  | { kind: 'reading' | 'sending'; share: number }
  | { kind: 'faulty'; faults: ImportProblems }
  | { kind: 'read'; read: ReadExport }
  | { kind: 'done'; imported: Import }
  | { kind: 'failed'; error: unknown };

/** Steps at which the progress is drawn anew. */
const STEPS = 100;

/** An import of files in this page. It stops when the page is left; the same files then go on where it stopped. */
export function useImport(siteId: string, room: ImportRoom) {
  const [stage, setStage] = useState<ImportStage>({ kind: 'choosing' });
  const control = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => control.current?.abort(), []);

  const run = async (
    kind: 'reading' | 'sending',
    act: (watch: Watch) => Promise<ImportStage>,
  ): Promise<void> => {
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    let drawn = -1;
    const onShare = (share: number): void => {
      const step = Math.floor(share * STEPS);
      if (step === drawn || own.signal.aborted) return;
      drawn = step;
      setStage({ kind, share });
    };
    onShare(0);
    try {
      const next = await act({ signal: own.signal, onShare });
      if (!own.signal.aborted) setStage(next);
    } catch (error) {
      if (own.signal.aborted) return;
      const isFaulty = error instanceof Error && error.name === 'ImportProblems';
      setStage(isFaulty ? { kind: 'faulty', faults: error as ImportProblems } : { kind: 'failed', error });
    }
  };

  return {
    stage,
    read: (chosen: ChosenExport) =>
      run('reading', async (watch) => {
        const { readFiles } = await import('./read-files.ts');
        return {
          kind: 'read',
          read: await readFiles(importTarget(siteId, watch.signal), room, chosen, watch),
        };
      }),
    send: (read: ReadExport) =>
      run('sending', async (watch) => {
        const { sendRead } = await import('./read-files.ts');
        const imported = await sendRead(importTarget(siteId, watch.signal), read, watch);
        await queries.invalidateQueries();
        return { kind: 'done', imported };
      }),
    reset: () => {
      control.current?.abort();
      setStage({ kind: 'choosing' });
    },
  };
}
