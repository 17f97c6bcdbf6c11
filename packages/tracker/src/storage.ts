/** What is kept in the browser, under one name. The only module that touches storage; where there is none, each throws. */

/** As it was kept, in parts; of nothing one, which says so. */
export const recall = (): string[] => (localStorage.vendorVisitor + '').split(',');

export const keep = (parts: unknown[]): void => {
  localStorage.vendorVisitor = parts;
};

/** Unread. */
export const drop = (): unknown => delete localStorage.vendorVisitor;
