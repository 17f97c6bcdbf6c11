import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { renameSite, type Site } from '../../api/operations.generated.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { words } from '../../words/index.ts';

const MAX_NAME_LENGTH = 100;

/** The name, what never changes, and the snippet. */
export function SiteSection({ site, mayChange }: { site: Site; mayChange: boolean }) {
  const told = words.settings;
  const [name, setName] = useState(site.name);
  const [isSaved, setSaved] = useState(false);
  const { run, error, isPending } = useAction(() => renameSite({ siteId: site.id, name }), {
    changes: [['site', site.id], ['sites']],
    onDone: () => setSaved(true),
  });
  return (
    <Section title={told.site}>
      {mayChange && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
        >
          <Field label={told.name}>
            <input
              class="input"
              name="name"
              required
              maxLength={MAX_NAME_LENGTH}
              value={name}
              onInput={({ currentTarget }) => {
                setName(currentTarget.value);
                setSaved(false);
              }}
            />
          </Field>
          {error && <Failure error={error} />}
          <p class="buttons">
            <button type="submit" class="button" disabled={isPending || name === site.name}>
              {words.save}
            </button>
            <span role="status">{isSaved && told.saved}</span>
          </p>
        </form>
      )}
      <dl class="facts">
        <dt>{told.domain}</dt>
        <dd>{site.domain}</dd>
        <dt>{told.timezone}</dt>
        <dd>
          {site.timezone} <small class="soft">{told.timezoneNote}</small>
        </dd>
      </dl>
      <h3>{told.snippet}</h3>
      <p class="soft">{told.snippetText}</p>
      <CopyText text={site.snippet} label={told.snippet} />
      <Link href={`/sites/${site.id}/install`}>{told.toInstall}</Link>
    </Section>
  );
}
