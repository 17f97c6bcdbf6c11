/** The modules that are wrapped when they are imported. Wrapping all of an application's modules breaks some. */
export const INCLUDED = { include: ['pino'] };
