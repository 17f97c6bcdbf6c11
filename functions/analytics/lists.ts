/** The reports that are lists of values or pages, by their paths (docs/reports.md#the-reports). */
import type { Dimension } from '../../lib/analytics/dimensions.ts';

/** `GET .../analytics/<path>` lists the values of the dimension. */
export const VALUE_LISTS: readonly { path: string; dimension: Dimension; summary: string; sample: string }[] =
  [
    { path: 'sources', dimension: 'source', summary: 'Top sources', sample: 'Google' },
    { path: 'channels', dimension: 'channel', summary: 'Channels', sample: 'Organic search' },
    { path: 'countries', dimension: 'country', summary: 'Countries', sample: 'PT' },
    { path: 'regions', dimension: 'region', summary: 'Regions', sample: 'PT-13' },
    { path: 'cities', dimension: 'city', summary: 'Cities', sample: 'Porto' },
    { path: 'devices', dimension: 'device', summary: 'Devices', sample: 'desktop' },
    { path: 'browsers', dimension: 'browser', summary: 'Browsers', sample: 'Firefox' },
    { path: 'operating-systems', dimension: 'os', summary: 'Operating systems', sample: 'Android' },
    { path: 'languages', dimension: 'language', summary: 'Languages', sample: 'pt-PT' },
    { path: 'hostnames', dimension: 'hostname', summary: 'Hosts', sample: 'www.example.com' },
  ];
