import { append, apply, exec } from './primordials.ts'

/** What of a text the expression finds, in order, which is global: names that spaces divide. */
export function listNames(text: string, expression: RegExp): string[] {
  const names: string[] = []
  let found: RegExpExecArray | null
  // biome-ignore lint/suspicious/noAssignInExpressions: each call goes on after the last.
  while ((found = apply(exec, expression, [text]))) append(names, found[0])
  return names
}
