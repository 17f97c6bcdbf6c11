import { useState } from 'preact/hooks';
import { CopyText } from '../../parts/copy-text.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { messageWords } from '../../words/messages.ts';
import { SNIPPETS, type SnippetLanguage } from './verify-snippets.ts';

const LANGUAGES = Object.keys(SNIPPETS) as SnippetLanguage[];
const LIBRARIES = 'https://www.standardwebhooks.com';

/** How a receiver sees that a request is from here. */
export function Verify({ isOpen }: { isOpen: boolean }) {
  const texts = messageWords.channels;
  const [chosen, choose] = useState<SnippetLanguage>('node');
  return (
    <details class="card section" open={isOpen}>
      <summary>{texts.verify}</summary>
      <p>{texts.verifyText}</p>
      <TabList
        label={texts.verify}
        names={LANGUAGES}
        chosen={chosen}
        textOf={(name) => texts.verifyLanguages[name]}
        onChoose={(index) => choose(LANGUAGES[index] ?? 'node')}
      />
      <div role="tabpanel" aria-label={texts.verifyLanguages[chosen]} class="form">
        {chosen === 'shell' && <p class="soft">{texts.byHand}</p>}
        <CopyText text={SNIPPETS[chosen]} label={texts.verifyLanguages[chosen]} />
      </div>
      <a href={LIBRARIES} rel="noreferrer">
        {texts.libraries}
      </a>
    </details>
  );
}
