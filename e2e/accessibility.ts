import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'puppeteer-core'

/** A rule of axe that elements break, with the elements as CSS selectors. */
export type Violation = { rule: string; impact: string; help: string; elements: string[] }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that depend on colours, which are all that a theme changes. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe finds wrong on a page as it is now, of level serious or critical; by these rules alone where some are named. */
export async function findViolations(
  page: Page,
  rules: readonly string[] | null = null,
): Promise<Violation[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(
      ({ id, impact, help, nodes }) =>
        ({ rule: id, impact, help, elements: nodes.map(node => node.target.join(' ')) })))`,
  )) as Violation[]
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
}

/** One line a violation. */
export function describeViolations(violations: readonly Violation[]): string[] {
  return violations.map(({ rule, help, elements }) => `${rule}: ${help} (${elements.join(', ')})`)
}
