/**
 * Which fields an answer has: `specified` those of the specification (and the few that clients ask for besides), `complete`
 * those of execution-apis, with everything that came with London and after.
 */
export type Shape = 'specified' | 'complete'
