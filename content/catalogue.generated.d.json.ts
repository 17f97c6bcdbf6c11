import type { Catalogue } from '../lib/content/catalogue.ts';

declare const catalogue: Catalogue;
export default catalogue;
