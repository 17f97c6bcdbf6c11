import { downloadZip } from 'client-zip';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import type { Asked } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { exportHref, FORMATS, type Format } from './exports.ts';
import { wordOf } from './filter-text.ts';
import { shownLists } from './panels.ts';
import { useCompare } from './use-overview.ts';

interface ExportDialogProps {
  asked: Asked;
  onClose: () => void;
}

/** The reports of the page as files: one of them, or all in an archive. They have its range, filters and comparison. */
export default function ExportDialog({ asked, onClose }: ExportDialogProps) {
  const { query } = useSiteQuery();
  const compare = useCompare(asked);
  const texts = words.exports;
  const knowsPages = ({ dimension }: { dimension: string }) =>
    dimension === 'page' || dimension === 'privacy_tier';
  const measures = asked.segment === undefined && query.filters.every(knowsPages);
  const hrefOf = (report: string, format: Format): string =>
    exportHref(report, format, asked, {
      compare,
      ...(report === 'timeseries' && { interval: query.interval }),
    });
  const reports = [
    { report: 'overview', name: words.views.overview },
    { report: 'timeseries', name: texts.timeseries },
    ...shownLists(undefined).map(({ report, dimension }) => ({
      report,
      name: report === dimension ? wordOf(dimension) : words.dimensions[dimension].list,
    })),
    ...(['goals', 'events'] as const).map((report) => ({ report, name: words.panels[report] })),
    ...MEASURES.filter((report) => report === 'vitals' || measures).map((report) => ({
      report,
      name: words.panels[report],
    })),
  ];
  const { run, isPending, error } = useAction(async (format: Format) => {
    const files: { name: string; input: ArrayBuffer; lastModified: Date }[] = [];
    // One after the other: each may read much.
    for (const { report } of reports) {
      const response = await fetch(hrefOf(report, format));
      if (!response.ok) throw new Error(report);
      files.push({
        name: `${report}.${format}`,
        input: await response.arrayBuffer(),
        lastModified: new Date(),
      });
    }
    saveFile(`${asked.siteId}.zip`, await downloadZip(files).blob(), 'application/zip');
  });
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <div class="body form">
        {error && <Failure error={error} />}
        <table class="list-table">
          <tbody>
            {reports.map(({ report, name }) => (
              <tr key={report}>
                <th scope="row">{name}</th>
                {FORMATS.map((format) => (
                  <td key={format} class="number">
                    <a href={hrefOf(report, format)} download aria-label={`${name}: ${format.toUpperCase()}`}>
                      {format.toUpperCase()}
                    </a>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <footer>
        {FORMATS.map((format) => (
          <button key={format} type="button" class="button" disabled={isPending} onClick={() => run(format)}>
            {texts.all(format.toUpperCase())}
          </button>
        ))}
      </footer>
    </Dialog>
  );
}

const MEASURES = ['engagement', 'vitals'] as const;
