import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { LANGUAGE_NAMES } from '../../../../lib/languages.ts';
import {
  deleteMailReport,
  listMailReports,
  type MailReport,
  type Site,
} from '../../api/operations.generated.ts';
import { time } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/section.tsx';
import { words } from '../../words/index.ts';
import { messageWords } from '../../words/messages.ts';
import { MailReportDialog } from './mail-report-dialog.tsx';
import { weekdayName } from './weekday-name.ts';

type Open = 'new' | { changed: MailReport } | { deleted: MailReport };

/** Reports of the site by mail: who gets which and when, added, changed and deleted. */
export function MailReportsSection({ site, mayChange }: { site: Site; mayChange: boolean }) {
  const texts = messageWords.reports;
  const [open, setOpen] = useState<Open | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['mail-reports', site.id],
    queryFn: ({ signal }) => listMailReports({ siteId: site.id }, signal),
  });
  const close = () => setOpen(undefined);
  return (
    <Section title={texts.title} text={texts.text}>
      {error && <Failure error={error} retry={refetch} />}
      {data?.data.length === 0 && (
        <div>
          <p>{texts.none}</p>
          <p class="soft small">{mayChange ? texts.contents : texts.noneViewer}</p>
        </div>
      )}
      {data && data.data.length > 0 && (
        <ul class="entries" aria-label={texts.title}>
          {data.data.map((report) => (
            <ReportEntry key={report.id} {...{ site, report }} open={mayChange ? setOpen : undefined} />
          ))}
        </ul>
      )}
      <p class="buttons">
        {mayChange && (
          <button type="button" class="button" onClick={() => setOpen('new')}>
            <Icon name="plus" />
            {texts.add}
          </button>
        )}
        <Link href={`/projects/${site.projectId}/channels`}>{texts.toChannels}</Link>
      </p>
      {open === 'new' && <MailReportDialog site={site} onClose={close} />}
      {typeof open === 'object' && 'changed' in open && (
        <MailReportDialog site={site} report={open.changed} onClose={close} />
      )}
      {typeof open === 'object' && 'deleted' in open && (
        <ConfirmDialog
          title={texts.deleteTitle}
          submit={words.forms.deleteIt}
          act={() => deleteMailReport({ siteId: site.id, mailReportId: open.deleted.id })}
          changes={[['mail-reports', site.id]]}
          onClose={close}
        >
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface ReportEntryProps {
  site: Site;
  report: MailReport;
  /** Undefined for those who may only look. */
  open: ((open: Open) => void) | undefined;
}

function ReportEntry({ site, report, open }: ReportEntryProps) {
  const texts = messageWords.reports;
  const { every, weekday, recipients, language, segment, nextAt, lastAt } = report;
  const name = every === 'week' ? texts.each.week(weekdayName(weekday)) : texts.each[every];
  const at = (instant: string): string => time(instant, 'long-hour', site.timezone);
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <ul class="recipients" aria-label={texts.recipients}>
          {recipients.map(({ address, channelId, state }) => (
            <li key={channelId} class="small">
              <Link href={`/projects/${site.projectId}/channels?channel=${channelId}`}>{address}</Link>
              {state !== 'confirmed' && <span class="badge">{texts.states[state]}</span>}
            </li>
          ))}
        </ul>
        <p class="soft small">
          {[LANGUAGE_NAMES[language], ...(segment === null ? [] : [texts.onlySegment(segment.name)])].join(
            ' · ',
          )}
        </p>
        <p class="soft small">
          {texts.next(at(nextAt), site.timezone)} · {lastAt === null ? texts.never : texts.last(at(lastAt))}
        </p>
      </div>
      {open && (
        <span class="buttons">
          <button
            type="button"
            class="button plain"
            aria-label={words.forms.change(name)}
            onClick={() => open({ changed: report })}
          >
            <Icon name="edit" />
          </button>
          <button
            type="button"
            class="button plain"
            aria-label={words.forms.delete(name)}
            onClick={() => open({ deleted: report })}
          >
            <Icon name="delete" />
          </button>
        </span>
      )}
    </li>
  );
}
