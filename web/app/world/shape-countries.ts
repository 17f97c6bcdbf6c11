/**
 * Makes a map of the world that is small enough for a page: each country as one path of whole numbers, and as a point if it is too small for a
 * path. The borders are those of Natural Earth, which is in the public domain, as the package `world-atlas` has them.
 */
import { iso31661NumericToAlpha2 } from 'iso-3166';
import { feature } from 'topojson-client';
import { COUNTRIES } from '../../../lib/privacy/countries.ts';

type Topology = Parameters<typeof feature>[0];
/** Degrees east and north. */
type Degrees = readonly number[];
/** Units of the map, from its upper left corner. */
type Point = readonly [x: number, y: number];

export interface CountryShapes {
  width: number;
  height: number;
  /** By country: the data of an SVG path. */
  paths: Record<string, string>;
  points: Record<string, Point>;
}

const WIDTH = 500;
/** Where the map is cut: in the Bering Strait, so that no country is in two pieces. */
const WEST = -169;
/** North of Greenland, and south of Cape Horn. */
const NORTH = 83.7;
const SOUTH = -56;
/** It has no visitors, and would take a third of the map. */
const LEFT_OUT = 'AQ';
/** Areas without a number of their own in ISO 3166, by the country that their addresses are registered in. */
const REGISTERED: Readonly<Record<string, string>> = { Kosovo: 'XK', Somaliland: 'SO', 'N. Cyprus': 'CY' };

/** Countries of ISO 3166 that the atlas draws as a part of France: where they are, in degrees. */
const OVERSEAS: Readonly<Record<string, readonly [east: number, north: number]>> = {
  GF: [-53, 4],
  GP: [-61.5, 16.2],
  MQ: [-61, 14.6],
  RE: [55.5, -21.1],
  YT: [45.1, -12.8],
};
const NEAR_DEGREES = 1.5;

/** `coarse` has the borders that are drawn; `fine` has the shapes of countries which `coarse` lacks. */
export function shapeCountries(coarse: unknown, fine: unknown): CountryShapes {
  const shapes = new Map<string, Point[][]>();
  for (const [code, rings] of listCountries(coarse)) {
    const drawn = rings.map((ring) => simplify(ring.map(project))).filter(({ length }) => length > 2);
    if (drawn.length > 0) shapes.set(code, [...(shapes.get(code) ?? []), ...drawn]);
  }
  const points = listCountries(fine)
    .filter(([code]) => !shapes.has(code))
    .map(([code, rings]) => [code, project(middleOf(largest(rings)))] as const);
  return {
    width: WIDTH,
    height: project([0, SOUTH])[1],
    paths: Object.fromEntries([...shapes].map(([code, rings]) => [code, pathOf(rings)])),
    points: Object.fromEntries(points),
  };
}

/** The rings of each area that belongs to a country. The meridian of the cut doesn't go through them. */
function listCountries(topology: unknown): [code: string, rings: Degrees[][]][] {
  const atlas = topology as Topology;
  const { countries } = atlas.objects;
  if (countries?.type !== 'GeometryCollection') throw new Error('The atlas has no countries.');
  return feature(atlas, countries).features.flatMap(({ id, properties, geometry }) => {
    const name = (properties as { name?: string } | null)?.name ?? '';
    const code = REGISTERED[name] ?? iso31661NumericToAlpha2[String(id)];
    if (code === undefined || code === LEFT_OUT || !COUNTRIES.includes(code)) return [];
    const rings =
      geometry.type === 'Polygon'
        ? geometry.coordinates
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates.flat()
          : [];
    const parts = new Map<string, Degrees[][]>();
    for (const ring of rings.map(unroll)) {
      const owner = code === 'FR' ? ownerOf(ring) : code;
      parts.set(owner, [...(parts.get(owner) ?? []), ring]);
    }
    return [...parts];
  });
}

function ownerOf(ring: readonly Degrees[]): string {
  const [x = 0, y = 0] = middleOf(ring);
  const found = Object.entries(OVERSEAS).find(
    ([, [east, north]]) => Math.abs(x - east) < NEAR_DEGREES && Math.abs(y - north) < NEAR_DEGREES,
  );
  return found?.[0] ?? 'FR';
}

/** A ring without jumps from 180° east to 180° west, on the side of the cut where most of it is. */
function unroll(ring: readonly Degrees[]): Degrees[] {
  let last = ring[0]?.[0] ?? 0;
  const whole = ring.map(([east = 0, north = 0]) => {
    last = east + 360 * Math.round((last - east) / 360);
    return [last, north] as const;
  });
  const middle = whole.reduce((sum, [east]) => sum + east, 0) / whole.length;
  const turn = 360 * Math.ceil((WEST - middle) / 360);
  return whole.map(([east, north]) => [east + turn, north]);
}

/** A map without its areas in wrong proportion (Equal Earth: Šavrič, Patterson, Jenny, 2018). */
function equalEarth(east: number, north: number): Point {
  const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796] as const;
  const radians = Math.PI / 180;
  const m = Math.sqrt(3) / 2;
  const angle = Math.asin(m * Math.sin(north * radians));
  const square = angle ** 2;
  const sixth = square ** 3;
  return [
    (east * radians * Math.cos(angle)) / (m * (a1 + 3 * a2 * square + sixth * (7 * a3 + 9 * a4 * square))),
    angle * (a1 + a2 * square + sixth * (a3 + a4 * square)),
  ];
}

const HALF = equalEarth(180, 0)[0];
const TOP = equalEarth(0, NORTH)[1];

export function project([east = 0, north = 0]: Degrees): Point {
  const [x, y] = equalEarth(east - (WEST + 180), north);
  const scale = WIDTH / (2 * HALF);
  return [Math.round((x + HALF) * scale), Math.round((TOP - y) * scale)];
}

/** Without points that change nothing. Neighbours keep the same border. */
function simplify(ring: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of ring) {
    const last = kept.at(-1);
    if (last !== undefined && last[0] === point[0] && last[1] === point[1]) continue;
    const before = kept.at(-2);
    if (before !== undefined && last !== undefined && isStraight(before, last, point)) kept.pop();
    kept.push(point);
  }
  const [first] = kept;
  const last = kept.at(-1);
  if (first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1]) kept.pop();
  return kept;
}

const isStraight = (a: Point, b: Point, c: Point): boolean =>
  (b[0] - a[0]) * (c[1] - b[1]) === (b[1] - a[1]) * (c[0] - b[0]);

const largest = (rings: readonly Degrees[][]): Degrees[] =>
  rings.reduce((most, ring) => (ring.length > most.length ? ring : most));

function middleOf(ring: readonly Degrees[]): Degrees {
  const between = (numbers: readonly number[]): number => (Math.min(...numbers) + Math.max(...numbers)) / 2;
  return [between(ring.map(([east = 0]) => east)), between(ring.map(([, north = 0]) => north))];
}

/** Each point by its distance from the one before: small numbers, which compress well. */
function pathOf(rings: readonly Point[][]): string {
  let path = '';
  let [x, y] = [0, 0];
  for (const [start, ...rest] of rings) {
    if (start === undefined) continue;
    path += `m${start[0] - x}${signed(start[1] - y)}l`;
    [x, y] = start;
    path += rest
      .map((point) => {
        const step = `${signed(point[0] - x)}${signed(point[1] - y)}`;
        [x, y] = point;
        return step;
      })
      .join('')
      .trimStart();
    path += 'z';
    // A closed ring leads back to its start.
    [x, y] = start;
  }
  return path;
}

const signed = (value: number): string => (value < 0 ? `${value}` : ` ${value}`);
