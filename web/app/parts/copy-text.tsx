import { useState } from 'preact/hooks';
import { words } from '../words/index.ts';

/** A text to paste elsewhere, with a button that copies it: a key, a snippet, a link. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <figure class="copied" aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" class="button" onClick={copy} onBlur={() => setCopied(false)}>
        {isCopied ? words.copied : words.copy}
      </button>
      <span role="status" class="unseen">
        {isCopied ? words.copied : ''}
      </span>
    </figure>
  );
}
