import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { changeSite, type Site } from '../../api/operations.generated.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { hostOf } from '../../parts/host-of.ts';
import { Section } from '../../parts/section.tsx';
import { SiteFields } from '../../parts/site-fields.tsx';
import { useAction } from '../../parts/use-action.ts';
import { words } from '../../words/index.ts';
import { settingsWords } from '../../words/settings.ts';

const hostsIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(hostOf);

const formOf = ({ name, domain, domains }: Site) => ({ name, domain, domains: domains.join('\n') });

/** The name and the domains, the time zone, and the snippet. */
export function SiteSection({ site, mayChange }: { site: Site; mayChange: boolean }) {
  const texts = settingsWords.settings;
  const saved = formOf(site);
  const [form, setForm] = useState(saved);
  const [isSaved, setSaved] = useState(false);
  const { name, domain, domains } = form;
  const { run, error, isPending } = useAction(
    () => changeSite({ siteId: site.id, name, domain: hostOf(domain), domains: hostsIn(domains) }),
    {
      changes: [['site', site.id], ['sites']],
      onDone: ({ data }) => {
        setForm(formOf(data));
        setSaved(true);
      },
    },
  );
  const change = (changed: Partial<typeof form>) => {
    setForm({ ...form, ...changed });
    setSaved(false);
  };
  const isSame = name === saved.name && domain === saved.domain && domains === saved.domains;
  return (
    <Section title={texts.site}>
      {mayChange && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
        >
          <SiteFields {...{ texts, name, domain }} onChange={change} />
          <Field label={texts.domains} note={texts.domainsNote}>
            <textarea
              class="input"
              name="domains"
              autocapitalize="none"
              spellcheck={false}
              value={domains}
              onInput={({ currentTarget }) => change({ domains: currentTarget.value })}
            />
          </Field>
          {error && <Failure error={error} />}
          <p class="buttons">
            <button type="submit" class="button" disabled={isPending || isSame}>
              {words.save}
            </button>
            <span role="status">{isSaved && texts.saved}</span>
          </p>
        </form>
      )}
      <dl class="facts">
        {!mayChange && (
          <>
            <dt>{texts.domain}</dt>
            <dd>{[site.domain, ...site.domains].join(', ')}</dd>
          </>
        )}
        <dt>{texts.timezone}</dt>
        <dd>
          {site.timezone} <small class="soft">{texts.timezoneNote}</small>
        </dd>
      </dl>
      <h3>{texts.snippet}</h3>
      <p class="soft">{texts.snippetText}</p>
      <CopyText text={site.snippet} label={texts.snippet} />
      <Link href={`/sites/${site.id}/install`}>{texts.toInstall}</Link>
    </Section>
  );
}
