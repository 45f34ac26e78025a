/** Where mints are stored; the worker starts with this, and not with what reads and writes them. */
export const MINTS_KEY = 'mints'
