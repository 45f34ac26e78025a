/**
 * SES tries what the browser forbids as it is evaluated, and keeps one of the errors. With its stack a browser keeps all functions
 * below it: the script's own, with all code that runs once. So no error has a stack until {@link restoreStacks}. Not every browser
 * has the limit.
 */
const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')
if (limit) Error.stackTraceLimit = 0

/** Errors have stacks again, as before. */
export function restoreStacks(): void {
  if (limit) Object.defineProperty(Error, 'stackTraceLimit', limit)
}
