import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Suspense } from 'preact/compat';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { getSession, signOut } from '../api/operations.generated.ts';
import { lazyView } from '../lazy-view.tsx';
import { words } from '../words/index.ts';
import { Bell } from './bell.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { PageHeadSlot } from './page-head.tsx';
import { LanguageChoices, ThemeChoices } from './preferences.tsx';
import { Trouble } from './trouble.tsx';
import { useKeys } from './use-keys.ts';

const AgentBand = lazyView(() => import('../views/agent/agent-band.tsx'), 'people');
const ShortcutsDialog = lazyView(() => import('../views/shortcuts/shortcuts-dialog.tsx'), 'people');

/** Pages of one site or environment: their head is in the bar, which has room for it before it is known. */
const HEADED = /^\/(sites\/(?!new$)[^/]+|projects\/[^/]+\/(?!channels$)[^/]+)/;

/** What is around every view: the way to the others, and the person. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [path] = useLocation();
  const [isHelp, setHelp] = useState(false);
  const [isAgent, setAgent] = useState(false);
  const endAgent = useCallback(() => setAgent(false), []);
  useKeys((key) => {
    if (key === '?') setHelp(true);
  });
  const content = useRef<HTMLElement>(null);
  const opened = useRef(path);
  // A page that leads on by itself when it is loaded leaves the first Tab to the link to the content.
  const hadFocus = useRef(false);
  useEffect(() => {
    const note = (): void => {
      hadFocus.current = true;
    };
    document.addEventListener('focusin', note, { once: true });
    return () => document.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    if (opened.current === path) return;
    opened.current = path;
    if (!hadFocus.current) return;
    // The link that was followed went with its view: the focus begins the new one.
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [path]);
  const { nav } = words;
  const sections = [
    ['/sites', nav.sites],
    ['/projects', nav.backends],
  ] as const;
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class={HEADED.test(path) ? 'top headed' : 'top'}>
        <Link href="/sites" class="brand">
          {words.product}
        </Link>
        <nav aria-label={nav.label}>
          <ul>
            {sections.map(([href, name]) => (
              <li key={href}>
                <Link href={href} aria-current={path.startsWith(href) ? 'page' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <PageHeadSlot />
        <Bell />
        <PersonMenu showShortcuts={() => setHelp(true)} letAgent={() => setAgent(true)} />
      </header>
      {isAgent && (
        <Suspense fallback={null}>
          <AgentBand onEnd={endAgent} />
        </Suspense>
      )}
      <main ref={content} id="content" tabIndex={-1}>
        <Trouble />
        {children}
      </main>
      {isHelp && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </>
  );
}

interface PersonMenuProps {
  showShortcuts: () => void;
  letAgent: () => void;
}

function PersonMenu({ showShortcuts, letAgent }: PersonMenuProps) {
  const { nav } = words;
  const links = [
    ['/settings/account', nav.account],
    ['/settings/keys', nav.keys],
    ['/settings/projects', nav.projects],
  ] as const;
  const { data } = useQuery({ queryKey: ['session'], queryFn: ({ signal }) => getSession({}, signal) });
  const leave = async (): Promise<void> => {
    await signOut({});
    window.location.assign('/');
  };
  return (
    <Menu plain bare name={nav.account} label={<Icon name="person" />}>
      {(close) => (
        <>
          {data && (
            <p>
              {data.data.name}, {data.data.email}
            </p>
          )}
          {links.map(([href, name]) => (
            <Link key={href} href={href} onClick={close}>
              {name}
            </Link>
          ))}
          <button
            type="button"
            onClick={() => {
              close();
              letAgent();
            }}
          >
            {nav.agent}
          </button>
          <button
            type="button"
            onClick={() => {
              close();
              showShortcuts();
            }}
          >
            {nav.shortcuts} <kbd>?</kbd>
          </button>
          <hr />
          <LanguageChoices />
          <hr />
          <ThemeChoices />
          <hr />
          <button type="button" onClick={leave}>
            {nav.signOut}
          </button>
        </>
      )}
    </Menu>
  );
}
