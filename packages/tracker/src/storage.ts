/** The tracker's one entry of storage. No other module touches storage; without storage each function throws. */

/** The parts of the stored text. Without one the only part is the text `undefined`. */
export const recall = (): string[] => (localStorage.vendorVisitor + '').split(',');

export const keep = (parts: unknown[]): unknown => (localStorage.vendorVisitor = parts);

/** Unread. */
export const drop = (): unknown => delete localStorage.vendorVisitor;
