import { useQuery } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { type Import, listImports, type Site, undoImport } from '../../api/operations.generated.ts';
import { exact, time } from '../../format.ts';
import { toolName } from '../../imports/tools.ts';
import { lazyView } from '../../lazy-view.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { settingsWords } from '../../words/settings.ts';

const ImportForm = lazyView(() => import('../../imports/import-form.tsx'), 'imports');

/** Days that other tools counted: imported from files, listed, and undone. */
export function ImportsSection({ site, mayChange }: { site: Site; mayChange: boolean }) {
  const texts = settingsWords.imports;
  const [isAdding, setAdding] = useState(false);
  const [undone, setUndone] = useState<Import | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['imports', site.id],
    queryFn: ({ signal }) => listImports({ siteId: site.id }, signal),
    // Shows how far an import has come that somebody sends now.
    refetchInterval: ({ state }) =>
      state.data?.data.imports.some((entry) => entry.state === 'receiving') === true && 5000,
  });
  const imports = data?.data.imports ?? [];
  return (
    <Section title={texts.title} text={texts.text}>
      {error && <Failure error={error} retry={refetch} />}
      {data && imports.length === 0 && <p>{texts.none}</p>}
      {imports.length > 0 && (
        <ul class="entries">
          {imports.map((entry) => (
            <li key={entry.id}>
              <div>
                <strong>{toolName(entry.source)}</strong>
                <p class="soft small">{describe(entry)}</p>
              </div>
              {mayChange && (
                <button type="button" class="button" onClick={() => setUndone(entry)}>
                  {texts.undo}
                  <span class="unseen"> {describe(entry)}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && data && (
        <>
          <p class="soft">{texts.how(dayOf(data.data.before))}</p>
          {isAdding ? (
            <Suspense fallback={null}>
              <ImportForm siteId={site.id} room={data.data} onClose={() => setAdding(false)} />
            </Suspense>
          ) : (
            <p class="buttons">
              <button type="button" class="button" onClick={() => setAdding(true)}>
                {texts.add}
              </button>
            </p>
          )}
          <p class="soft">{texts.byCommand}</p>
          <CopyText text={commandOf(site)} label={texts.command} />
        </>
      )}
      {undone && (
        <ConfirmDialog
          title={texts.undoTitle}
          submit={texts.undo}
          act={() => undoImport({ siteId: site.id, importId: undone.id })}
          changes={[[]]}
          onClose={() => setUndone(undefined)}
        >
          <p>{texts.undoText(describe(undone))}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** A date, which is a day of no zone. */
const dayOf = (date: string): string => time(`${date}T12:00:00Z`, 'long-day', 'UTC');

function describe({ from, to, rows, state }: Import): string {
  const texts = settingsWords.imports;
  return [
    ...(from === null || to === null ? [] : [from === to ? dayOf(from) : texts.days(dayOf(from), dayOf(to))]),
    texts.rows(rows, exact(rows)),
    ...(state === 'done' ? [] : [texts.receiving]),
  ].join(', ');
}

const commandOf = (site: Site): string =>
  `npm run import -- --url ${location.origin} --site ${site.id} --from plausible FILE`;
