import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import type { Dimension } from '../../state/site-query.ts';

/** By what a row is recognised before it is read: a country's flag, a source's sign. */
export const RowSign = ({ dimension, value }: { dimension: Dimension; value: string }) =>
  dimension === 'country' ? (
    <Flag code={value} />
  ) : dimension === 'source' ? (
    <SourceSign name={value} />
  ) : null;

interface SignProps {
  /** It is drawn by the style, so that it is no part of the row's text. */
  text?: string | undefined;
  isFlag?: boolean;
  children?: ComponentChildren;
}

const Sign = ({ text, isFlag = false, children }: SignProps) => (
  <i class={text === undefined || isFlag ? 'sign' : 'sign letters'} data-text={text} aria-hidden="true">
    {children}
  </i>
);

const REGIONAL_A = 0x1f1e6;
const A = 65;

const flagOf = (code: string): string =>
  String.fromCodePoint(...[...code].map((letter) => letter.charCodeAt(0) - A + REGIONAL_A));

let drawsFlags: boolean | undefined;

/** Whether the system's fonts have flags: of black text only pictures have colours. */
function hasFlags(): boolean {
  if (drawsFlags !== undefined) return drawsFlags;
  const drawing = new OffscreenCanvas(16, 16).getContext('2d');
  if (drawing === null) return false;
  drawing.font = '16px sans-serif';
  drawing.fillText(flagOf('PT'), 0, 14);
  const { data } = drawing.getImageData(0, 0, 16, 16);
  drawsFlags = data.some((value, index) => index % 4 === 0 && value !== data[index + 1]);
  return drawsFlags;
}

function Flag({ code }: { code: string }) {
  const isFlag = /^[A-Z]{2}$/.test(code) && hasFlags();
  return <Sign text={isFlag ? flagOf(code) : code.slice(0, 2)} isFlag={isFlag} />;
}

/** A source without a known sign has its first letter. */
function SourceSign({ name }: { name: string }) {
  const { data: signs } = useQuery({
    queryKey: ['source-signs'],
    queryFn: () => import('./source-signs.ts'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (name === 'Direct')
    return (
      <Sign>
        <Icon name="link" />
      </Sign>
    );
  const path = signs?.SOURCE_SIGNS[name];
  if (path === undefined) return <Sign text={signs ? name.charAt(0).toUpperCase() : ''} />;
  return (
    <Sign>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} style={{ fill: signs?.SOURCE_COLORS[name] }} />
      </svg>
    </Sign>
  );
}
