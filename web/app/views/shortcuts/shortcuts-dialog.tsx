import { Link } from 'wouter-preact';
import { Dialog } from '../../parts/dialog.tsx';
import { shortcutsOn } from '../../state/own-preferences.ts';
import { PERIODS } from '../../state/site-query.ts';
import { peopleWords } from '../../words/people.ts';
import { COMPARE_KEY, DATES_KEY, PERIOD_KEYS } from '../site/period-menu.tsx';

type ShortcutName = keyof typeof peopleWords.shortcuts.keys;
type Shortcut = readonly [keys: readonly string[], what: ShortcutName];

const GROUPS = {
  everywhere: [
    [['?'], 'help'],
    [['Esc'], 'close'],
  ],
  reports: [
    [PERIODS.map((period) => PERIOD_KEYS[period]), 'period'],
    [[DATES_KEY], 'dates'],
    [[COMPARE_KEY], 'compare'],
  ],
  chart: [
    [['→', '←'], 'move'],
    [['Home', 'End'], 'ends'],
  ],
  traces: [[['j', 'k'], 'next']],
  trace: [
    [['j', 'k'], 'next'],
    [['s', 'w'], 'page'],
    [['f', 'b'], 'error'],
    [['←', '→'], 'fold'],
    [['z'], 'zoom'],
  ],
  logs: [
    [['j', 'k'], 'next'],
    [['s', 'w'], 'page'],
    [['Home', 'End'], 'ends'],
  ],
} as const satisfies Record<string, readonly Shortcut[]>;

/** Every key that does something, by where it does. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const texts = peopleWords.shortcuts;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <div class="body form">
        {!shortcutsOn() && <p>{texts.offNote}</p>}
        {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
          <section key={group} aria-label={texts[group]}>
            <h3>{texts[group]}</h3>
            <dl class="shortcuts">
              {GROUPS[group].map(([keys, what]) => (
                <div key={what}>
                  <dt>{texts.keys[what]}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <Link href="/settings/account" onClick={onClose}>
          {texts.toSettings}
        </Link>
      </div>
    </Dialog>
  );
}
