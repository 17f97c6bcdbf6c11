import { VISIT_DIMENSIONS } from '../../lib/visits/dimensions.ts';

const BEGIN = /^<!-- dimensions: .* -->$/m;
const END = '<!-- /dimensions -->';

const HEAD = '| Dimension | List | The value of a visit |\n|---|---|---|\n';

/** A document with a table of the dimensions between the two marks. */
export function insertDimensions(document: string): string {
  const mark = BEGIN.exec(document);
  const end = document.indexOf(END);
  if (mark === null || end < mark.index) throw new Error('docs/reports.md has lost its list of dimensions.');
  const rows = VISIT_DIMENSIONS.map((of) => {
    const list = 'path' in of ? `\`${of.path}\`` : '`utm`';
    return `| \`${of.name}\` | ${list} | ${of.description} |\n`;
  });
  return `${document.slice(0, mark.index)}${mark[0]}\n\n${HEAD}${rows.join('')}\n${document.slice(end)}`;
}
