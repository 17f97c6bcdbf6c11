/** What the service notes about the values of a metric has words in each language. */
import { expect, test } from 'vitest';
import { notesOf } from '../../lib/telemetry/metrics/read-metric.ts';
import { backend as en } from '../../web/app/words/en/backend.ts';
import { backend as es } from '../../web/app/words/es/backend.ts';
import { backend as pt } from '../../web/app/words/pt/backend.ts';

const kind = (type: 'histogram' | 'summary' | 'gauge', series: number, unit = 'ms') => ({
  ...{ type, unit, series },
  ...{ monotonic: false, temporalities: [1] },
});

test.each(['histogram', 'summary'] as const)(
  'each note about a %s is translated to Spanish and Portuguese',
  (type) => {
    const { notes = [], approximate = '' } = notesOf(
      {
        kinds: [kind(type, 5000), kind('gauge', 3, 'a "b"')],
        series: 1000,
        groups: [{ labels: [], cells: null, isMixed: true }],
      },
      'p95',
    );
    expect(notes).toHaveLength(3);
    for (const note of [...notes, approximate]) {
      expect(en.metrics.tell(note)).toBe(note);
      expect(es.metrics.tell(note)).not.toBe(note);
      expect(pt.metrics.tell(note)).not.toBe(note);
    }
    expect(es.metrics.tell(notes[0] ?? '')).toBe('Fuera quedan 3 series de tipo gauge y unidad «a "b"».');
  },
);
