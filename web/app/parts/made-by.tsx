import type { Share } from '../api/operations.generated.ts';
import { words } from '../words/index.ts';

/** Who made a share or an ingest key. The person may be no member any more, and what they made still works. */
export function MadeBy({ maker }: { maker: Share['createdBy'] }) {
  const texts = words.maker;
  return (
    <p class="soft small">
      {maker === null ? texts.unknown : texts.by(maker.name)}
      {maker !== null && !maker.isMember && (
        <>
          {' '}
          <strong class="badge">{texts.left}</strong>
        </>
      )}
    </p>
  );
}
