import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { listShares, revokeShare, type Share, type Site } from '../../api/operations.generated.ts';
import { time } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MadeBy } from '../../parts/made-by.tsx';
import { Section } from '../../parts/section.tsx';
import { settingsWords } from '../../words/settings.ts';
import { ShareDialog } from './share-dialog.tsx';

/** Public links to reports of the site: made, listed and revoked. */
export function SharesSection({ site, mayChange }: { site: Site; mayChange: boolean }) {
  const texts = settingsWords.shares;
  const [isNew, setNew] = useState(false);
  const [revoked, setRevoked] = useState<Share | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['shares', site.id],
    queryFn: ({ signal }) => listShares({ siteId: site.id }, signal),
  });
  const close = () => setRevoked(undefined);
  return (
    <Section title={texts.title} text={texts.text}>
      {error && <Failure error={error} retry={refetch} />}
      {data?.data.length === 0 && <p>{texts.none}</p>}
      {data && data.data.length > 0 && (
        <ul class="entries">
          {data.data.map((share) => (
            <li key={share.id}>
              <div>
                <strong>{share.name}</strong>
                <p class="soft small">{describe(share, site.timezone)}</p>
                <MadeBy maker={share.createdBy} />
                {share.pageUrl !== null && <CopyText text={share.pageUrl} label={texts.linkOf(share.name)} />}
              </div>
              {mayChange && (
                <button type="button" class="button" onClick={() => setRevoked(share)}>
                  {texts.revoke}
                  <span class="unseen"> {share.name}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => setNew(true)}>
            <Icon name="plus" />
            {texts.add}
          </button>
        </p>
      )}
      {isNew && <ShareDialog site={site} onClose={() => setNew(false)} />}
      {revoked && (
        <ConfirmDialog
          title={texts.revokeTitle}
          submit={texts.revoke}
          act={() => revokeShare({ siteId: site.id, shareId: revoked.id })}
          changes={[['shares', site.id]]}
          onClose={close}
        >
          <p>{texts.revokeText(revoked.name)}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function describe({ reports, hasPassword, expiresAt }: Share, zone: string): string {
  const texts = settingsWords.shares;
  const end = expiresAt === null ? undefined : time(expiresAt, 'long-day', zone);
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return [
    texts.countOf(reports.length),
    ...(hasPassword ? [texts.hasPassword] : []),
    ...(end === undefined ? [] : [isOver ? texts.ended(end) : texts.until(end)]),
  ].join(', ');
}
