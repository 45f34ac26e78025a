import { append, apply, exec } from './primordials.ts'

/** The names that a text has, in order, or those that the expression finds, which is global. */
export function listNames(text: string, expression = /\w+/g): string[] {
  const names: string[] = []
  let found: RegExpExecArray | null
  // biome-ignore lint/suspicious/noAssignInExpressions: each call goes on after the last.
  while ((found = apply(exec, expression, [text]))) append(names, found[0])
  return names
}
