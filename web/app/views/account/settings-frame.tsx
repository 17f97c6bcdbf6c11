import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { ViewLinks } from '../../parts/view-links.tsx';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';

const VIEWS = ['account', 'keys', 'projects', 'members', 'audit'] as const;
type SettingsViewName = (typeof VIEWS)[number];
/** These are of one project, and keep it. */
const OF_PROJECT: readonly SettingsViewName[] = ['members', 'audit'];

/** What the settings of a person have in common: the name, and the way to the others. */
export function SettingsFrame({ view, children }: { view: SettingsViewName; children: ComponentChildren }) {
  const texts = peopleWords.nav;
  const project = new URLSearchParams(useSearch()).get('project');
  useEffect(() => {
    document.title = `${texts[view]} · ${words.product}`;
  }, [view, texts]);
  return (
    <>
      <div class="heading">
        <h1>{texts[view]}</h1>
      </div>
      <ViewLinks
        label={texts.label}
        views={VIEWS}
        current={view}
        hrefOf={(one) =>
          `/settings/${one}${project && OF_PROJECT.includes(one) ? `?project=${encodeURIComponent(project)}` : ''}`
        }
        nameOf={(one) => texts[one]}
      />
      {children}
    </>
  );
}
