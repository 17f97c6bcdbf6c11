import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { deleteSite, type Site } from '../../api/operations.generated.ts';
import { queries } from '../../api/queries.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Section } from '../../parts/section.tsx';
import { settingsWords } from '../../words/settings.ts';

/** Deletes the site, and leads to the sites, where the progress stands. */
export function DeletionSection({ site }: { site: Site }) {
  const texts = settingsWords.deletion;
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  return (
    <Section title={texts.title} text={texts.text}>
      <p class="buttons">
        <button type="button" class="button danger" onClick={() => setOpen(true)}>
          {texts.button}
        </button>
      </p>
      {isOpen && (
        <ConfirmDialog
          title={texts.ask(site.name)}
          submit={texts.button}
          typed={site.domain}
          act={() => deleteSite({ siteId: site.id })}
          changes={[['sites'], ['deletions']]}
          onDone={() => {
            queries.removeQueries({ queryKey: ['site', site.id] });
            navigate('/sites');
          }}
          onClose={() => setOpen(false)}
        >
          <p>{texts.text}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
